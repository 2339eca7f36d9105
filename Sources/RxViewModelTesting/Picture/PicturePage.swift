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
    <style>
    :root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e4e7eb); --paper: light-dark(#fff, #14171b); --line: #8885;
      --action: #3478f6; --own: #3478f6; --answer: #2a9d5c; --element: #a05ae8; --cancel: #d9822b; --error: #e5484d; --other: #808894; }
    * { box-sizing: border-box; margin: 0; } #failure:empty { display: none; }
    body { background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; padding: 12px 16px 24px; }
    pre, code { font: 12.5px/1.45 ui-monospace, Menlo, monospace; } pre { white-space: pre-wrap; } pre, h3 { overflow-wrap: anywhere; }
    h1 { font-size: 17px; } h2 { font-size: 12px; } h2, .about { color: var(--other); } h3 { font-size: 14px; }
    #failure { margin-top: 8px; padding: 8px; border-left: 4px solid var(--error); max-height: 9em; overflow: auto; }
    .badge { color: var(--error); } #steps, section { border: 1px solid var(--line); border-radius: 8px; }
    #steps { margin-top: 8px; overflow: auto; max-height: 46vh; }
    ol { list-style: none; padding: 0; content-visibility: auto; contain-intrinsic-height: auto 72em; }
    li { contain: content; padding: 0 12px; width: max-content; min-width: 100%; white-space: pre; cursor: pointer; scroll-margin: 3em; }
    .on :is(span, code) { font-weight: 600; } .failing { box-shadow: inset 4px 0 var(--error); } [aria-selected=true] { background: #3478f633; }
    i { display: inline-block; width: 1.2em; height: 1.45em; vertical-align: top; text-align: center; font-style: normal; }
    .lane { background: linear-gradient(var(--other) 0 0) center / 1px 100% no-repeat; }
    main { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); margin-top: 16px; }
    section { padding: 12px; min-width: 0; } pre span { display: block; min-height: 1.4em; } b { background: var(--line); }
    .minus { background: #e5484d33; } .plus { background: #2a9d5c33; }
    </style>
    <h1 id="title"></h1><pre id="failure"></pre>
    <div id="steps" role="listbox" tabindex="0" aria-label="Steps"></div>
    <main>
      <section id="entry"><h2 id="position"></h2><h3></h3><p class="about"></p><pre></pre></section>
      <section id="change"><h2>What changed</h2><div></div></section><section id="state"><h2>State</h2><div></div></section>
    </main>
    <script type="application/json" id="data">
    """#

  /// What stands behind the data: the script, and the end of the page.
  static let tail = #"""
    </script>
    <script>
    'use strict';
    const { title, failure, failing, models, lanes, steps } = JSON.parse(document.getElementById('data').textContent);
    const $ = selector => document.querySelector(selector), list = $('#steps'), last = steps.length - 1;
    const make = (parent, name, properties) => parent.appendChild(Object.assign(document.createElement(name), properties));
    const CHANGES = { '-': 'minus', '+': 'plus' };
    const SIGNS = { action: '●', own: '○', answer: '■', element: '◆', cancel: '┃', error: '✕', other: '·' };
    // The kinds that have the sign of another kind. All others are a dot.
    const KIN = { value: 'element' };
    const signOf = kind => kind in SIGNS ? kind : KIN[kind] ?? 'other';
    let current = 0;

    // Each lane takes the first column whose lane has ended.
    steps.forEach((step, index) => {
      for (const lane of step.lanes.concat(step.origin ?? [])) {
        lanes[lane].first ??= index;
        lanes[lane].last = lanes[lane].isAction ? index : last;
      }
    });
    const ends = [];
    for (const lane of lanes) {
      const free = ends.findIndex(end => end < lane.first);
      lane.column = free < 0 ? ends.length : free;
      ends[lane.column] = lane.last;
    }
    // The browser lays out only those groups of rows that the list shows.
    let group;
    const rows = steps.map(({ kind, label, lanes: own, origin }, index) => {
      if (index % 50 === 0) group = make(list, 'ol', { role: 'group' });
      const row = make(group, 'li', { id: `step-${index}`, role: 'option', onclick: () => go(index) });
      const open = lanes.filter(lane => lane.first <= index && index <= lane.last), sign = signOf(kind);
      const cells = ends.slice(0, Math.max(...open.map(lane => lane.column)) + 1).map(() => make(row, 'i'));
      for (const lane of open) cells[lane.column].className = 'lane';
      if (origin !== undefined) cells[lanes[origin].column].textContent = '├';
      for (const lane of own) Object.assign(cells[lanes[lane].column], { textContent: SIGNS[sign], style: `color: var(--${sign})` });
      make(row, 'span', { textContent: ` ${kind} `, style: `color: var(--${sign})` });
      make(row, 'code', { textContent: label });
      return row;
    });

    // Adds lines. Of a removed line and the added line behind it, the part in which they differ is marked.
    function show(parent, changes) {
      changes.forEach((line, index) => {
        const [before, after] = [changes[index - 1] ?? '', changes[index + 1] ?? ''];
        const other = line[0] === '-' && after[0] === '+' ? after : line[0] === '+' && before[0] === '-' ? before : line;
        let [start, end] = [1, line.length];
        while (start < end && line[start] === other[start]) start++;
        while (end > start && other.length - line.length + end > start && line[end - 1] === other.at(end - 1 - line.length)) end--;
        const element = make(parent, 'span', { className: CHANGES[line[0]] ?? '', textContent: line.slice(0, start) });
        if (start < end) make(element, 'b', { textContent: line.slice(start, end) });
        element.append(line.slice(end));
      });
    }

    function go(step) {
      if (last < 0) return;
      current = Math.min(Math.max(step, 0), last);
      const { kind, time, label, lines, lanes: own, states } = steps[current], heading = $('#entry h3');
      rows.forEach((row, index) => {
        row.ariaSelected = index === current;
        row.classList.toggle('on', steps[index].lanes.some(lane => own.includes(lane)));
      });
      list.setAttribute('aria-activedescendant', rows[current].id);
      rows[current].scrollIntoView({ block: 'nearest', inline: 'start' });
      $('#position').textContent = `Step ${current + 1} of ${steps.length}` + (time === undefined ? '' : ` · ${time} ms`);
      heading.textContent = `${kind} `;
      make(heading, 'code', { textContent: label });
      if (failing === current) make(heading, 'span', { className: 'badge', textContent: ' fails here' });
      $('#entry .about').textContent = own.map(lane => lanes[lane].label).filter(text => text !== label).join(' · ');
      $('#entry pre').textContent = lines.join('\n');
      for (const box of ['#change div', '#state div']) $(box).replaceChildren();
      for (const { model, changes } of states) {
        make($('#change div'), 'p', { className: 'about', textContent: models[model] });
        show(make($('#change div'), 'pre'), changes);
      }
      const known = steps.slice(0, current + 1).flatMap(step => step.states);
      for (const model in models) {
        make($('#state div'), 'p', { className: 'about', textContent: models[model] });
        make($('#state div'), 'pre', { textContent: known.findLast(state => state.model == model)?.lines.join('\n') ?? '' });
      }
    }

    document.title = $('#title').textContent = title;
    $('#failure').textContent = failure ?? '';
    rows[failing]?.classList.add('failing');
    onkeydown = event => {
      const key = document.activeElement === list ? event.key.replace('Up', 'Left').replace('Down', 'Right') : event.key;
      const step = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(step);
    };
    go(failing ?? 0);
    </script>
    </html>
    """#
}
