/// The page of a picture, in two parts. The data stands between them, as JSON.
///
/// The script makes elements and sets their `textContent`, and never parses a text as HTML.
enum PicturePage {
  static let head = #"""
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>RxViewModel</title>
    <style>
    :root {
      color-scheme: light dark;
      --paper: #fff; --panel: #f5f6f8; --ink: #1b1f24; --faint: #626a76; --line: #d5d9e0; --cursor: #e4ecfb;
      --action: #1f62d6; --answer: #157f3d; --element: #8a3ffc; --cancel: #b45f06; --error: #c92a2a; --alarm: #fdecec;
      --plus: #dff5e5; --plus-mark: #a6e3b8; --minus: #fce4e4; --minus-mark: #f5b5b5;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #14171b; --panel: #1d2127; --ink: #e4e7eb; --faint: #98a1ae; --line: #363c46; --cursor: #22304a;
        --action: #6ea8ff; --answer: #5fce86; --element: #c39bff; --cancel: #f0a24a; --error: #ff7b7b; --alarm: #43201f;
        --plus: #17351f; --plus-mark: #2a6a3d; --minus: #401f20; --minus-mark: #7c3436;
      }
    }
    * { box-sizing: border-box; margin: 0; }
    body { background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; padding: 0 16px 24px; }
    pre, code, svg text { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    h1 { font-size: 17px; padding-top: 14px; overflow-wrap: anywhere; }
    h2 { font-size: 12px; font-weight: 600; color: var(--faint); margin-bottom: 6px; }
    #failure { margin-top: 8px; padding: 8px 10px; border-left: 4px solid var(--error); background: var(--alarm); }
    #failure { max-height: 9em; overflow: auto; }
    nav { position: sticky; top: 0; z-index: 1; background: var(--paper); padding: 10px 0 8px; }
    nav > div { display: flex; align-items: center; gap: 8px; }
    button, select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
    button { padding: 3px 12px; } button:disabled { opacity: .4; }
    select { max-width: 100%; padding: 2px 4px; } [hidden] { display: none !important; }
    :focus-visible { outline: 2px solid var(--action); outline-offset: 1px; }
    #position { flex: 1; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-variant-numeric: tabular-nums; }
    #to-failure { color: var(--error); white-space: nowrap; }
    #map { display: block; width: calc(100% - 16px); height: 14px; margin: 8px 8px 0; overflow: visible; }
    #map path { fill: none; stroke-width: 1; vector-effect: non-scaling-stroke; } #map .failing { stroke-width: 3; }
    #slider { display: block; width: 100%; margin: 2px 0 0; accent-color: var(--action); }
    #lanes { overflow: auto; max-height: 46vh; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
    #lanes svg { display: block; cursor: pointer; }
    svg .lane { stroke: var(--faint); stroke-width: 1.5; opacity: .55; } svg .open { stroke-dasharray: 3 4; }
    svg .on { opacity: 1; stroke-width: 2; stroke: var(--ink); }
    svg .cause { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 2 2; fill: none; }
    svg text { fill: var(--ink); font-size: 11.5px; } svg .hint { fill: var(--faint); font-size: 10.5px; }
    svg .cursor { fill: var(--cursor); } svg .alarm { fill: var(--alarm); stroke: var(--error); }
    .sign { stroke-width: 2; fill: none; } .halo { fill: var(--panel); stroke: none; }
    .action, .own { stroke: var(--action); } .action { fill: var(--action); } .own { fill: var(--panel); }
    .answer { stroke: var(--answer); fill: var(--answer); } .element { stroke: var(--element); fill: var(--element); }
    .error, #map .failing { stroke: var(--error); } .cancel { stroke: var(--cancel); stroke-width: 3.5; }
    .other { stroke: var(--faint); fill: var(--faint); stroke-width: 1; }
    #legend { display: flex; flex-wrap: wrap; gap: 2px 16px; list-style: none; padding: 8px 0 14px; color: var(--faint); }
    #legend li { font-size: 12.5px; } #legend :first-child { order: 1; }
    #legend svg, #entry h3 svg { width: 14px; height: 14px; vertical-align: -2px; margin-right: 5px; }
    main { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); align-items: start; }
    @media (min-width: 860px) {
      main { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
      #state { grid-column: 2; grid-row: 1 / span 2; } main { grid-template-rows: auto 1fr; }
    }
    section { border: 1px solid var(--line); border-radius: 8px; padding: 12px; }
    h3 { font-size: 14px; overflow-wrap: anywhere; } h3 code { font-weight: 500; }
    .about { color: var(--faint); margin: 2px 0 8px; overflow-wrap: anywhere; }
    #entry pre { background: var(--panel); border-radius: 6px; padding: 6px 8px; max-height: 16em; overflow: auto; }
    .badge { background: var(--alarm); color: var(--error); border-radius: 6px; padding: 1px 8px; margin-left: 8px; font-weight: 500; }
    #state h2 { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
    .minus, .plus, .same { display: block; padding: 0 6px; min-height: 1.45em; } .same { color: var(--faint); }
    .minus { background: var(--minus); } .minus b { background: var(--minus-mark); } .plus { background: var(--plus); }
    .plus b { background: var(--plus-mark); } pre b { font-weight: inherit; border-radius: 3px; }
    </style>
    <header><h1 id="title"></h1><pre id="failure" hidden></pre></header>
    <nav>
      <div>
        <button id="back" aria-label="Step back">←</button><button id="forward" aria-label="Step forward">→</button>
        <output id="position"></output><button id="to-failure" hidden>Failure</button>
      </div>
      <svg id="map" preserveAspectRatio="none" aria-hidden="true"></svg>
      <input id="slider" type="range" min="0" value="0" aria-label="Step">
    </nav>
    <div id="lanes" aria-hidden="true"></div>
    <ul id="legend" aria-hidden="true"></ul>
    <main>
      <section id="entry"><h2>Step</h2><h3></h3><p class="about"></p><pre></pre></section>
      <section id="change"><h2>What changed</h2><div></div></section>
      <section id="state"><h2><span>State</span><select aria-label="View model"></select></h2><pre></pre></section>
    </main>
    <script type="application/json" id="data">
    """#
}
