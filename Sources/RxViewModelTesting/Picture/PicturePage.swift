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
    :root { color-scheme: light dark; --paper: light-dark(#fff, #14171b); --panel: light-dark(#f5f6f8, #1d2127);
      --ink: light-dark(#1b1f24, #e4e7eb); --faint: light-dark(#626a76, #98a1ae); --line: light-dark(#d5d9e0, #363c46);
      --action: light-dark(#1f62d6, #6ea8ff); --own: var(--action); --answer: light-dark(#157f3d, #5fce86);
      --element: light-dark(#8a3ffc, #c39bff); --cancel: light-dark(#b45f06, #f0a24a); --error: light-dark(#c92a2a, #ff7b7b);
      --other: var(--faint); --alarm: light-dark(#fdecec, #43201f); --cursor: light-dark(#e4ecfb, #22304a);
      --plus: light-dark(#dff5e5, #17351f); --mark: light-dark(#0002, #fff3); }
    * { box-sizing: border-box; margin: 0; } [hidden] { display: none !important; }
    body { background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; padding: 12px 16px 24px; }
    pre, code, svg text { font: 12.5px ui-monospace, Menlo, monospace; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    h1 { font-size: 17px; } h2 { font-size: 12px; color: var(--faint); } h3 { font-size: 14px; overflow-wrap: anywhere; }
    #failure { margin: 8px 0; padding: 8px; border-left: 4px solid var(--error); background: var(--alarm); overflow: auto; max-height: 9em }
    nav { position: sticky; top: 0; background: var(--paper); padding: 8px 0; display: flex; gap: 8px; align-items: center; }
    button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; }
    input { flex: 1; min-width: 0; } #to-failure, .badge { color: var(--error); } .about { color: var(--faint); }
    #lanes { overflow: auto; max-height: 46vh; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
    svg { display: block; cursor: pointer; } svg text { fill: var(--ink); } line { stroke: var(--faint); opacity: .6; }
    .open { stroke-dasharray: 3 4; } .cause { stroke: var(--faint); stroke-dasharray: 2 2; } .on { stroke: var(--ink); stroke-width: 2; }
    .cursor { fill: var(--cursor); } .alarm { fill: var(--alarm); stroke: var(--error); }
    #legend { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 6px 0; color: var(--faint) } #legend span { display: flex; gap: 5px }
    main { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); align-items: start; }
    section { border: 1px solid var(--line); border-radius: 8px; padding: 12px; min-width: 0; } pre b { background: var(--mark); }
    .minus { background: var(--alarm); } .plus { background: var(--plus); } pre span { display: block; min-height: 1.4em; }
    </style>
    <h1 id="title"></h1><pre id="failure" hidden></pre>
    <nav>
      <button id="back" aria-label="Step back">←</button><button id="forward" aria-label="Step forward">→</button>
      <output id="position"></output><input id="slider" type="range" min="0" value="0" aria-label="Step">
      <button id="to-failure" hidden>Failure</button>
    </nav>
    <div id="lanes" aria-hidden="true"></div><div id="legend" aria-hidden="true"></div>
    <main>
      <section id="entry"><h2>Step</h2><h3></h3><p class="about"></p><pre></pre></section>
      <section id="change"><h2>What changed</h2><div></div></section><section id="state"><h2>State</h2><pre></pre></section>
    </main>
    <script type="application/json" id="data">
    """#

  /// What stands behind the data: the script, and the end of the page.
  static let tail = #"""
    </script>
    <script>
    'use strict';
    const { title, failure, failing, models, lanes, steps } = JSON.parse(document.getElementById('data').textContent);
    const $ = selector => document.querySelector(selector), last = steps.length - 1, WIDTH = 24, HEIGHT = 34, LEFT = 18, TOP = 22;
    // The kinds of each sign, and their names.
    const KINDS = { action: { action: 'Action', again: 'Action that begins again' }, own: { own: 'Own action' },
      answer: { answer: 'Answer', past: 'Earlier answer' }, element: { element: 'Element', opening: 'First element', latest: 'Newest one' },
      cancel: { cancel: 'Cancellation', gone: 'Cancelled before it began' },
      error: { error: 'Error', failed: 'Stream failed', failure: 'Error of no action', thrown: 'Earlier error' },
      other: { completed: 'Stream completed', event: 'Event', quiet: 'End of a quiet time', timer: 'Timer', call: 'Output', value: 'Value',
        resume: 'Resume', pause: 'Pause', open: 'No answer yet', model: 'View model made', end: 'View model ended', choice: 'Test',
        begin: 'The recording begins here', middle: 'The recording begins in the middle' } };
    const CIRCLE = 'a5 5 0 1 0 10 0a5 5 0 1 0 -10 0', SHAPES = { action: `M-5 0${CIRCLE}`, own: `M-5 0${CIRCLE}`, answer: 'M-4 -4h8v8h-8z',
      element: 'M0 -5.5L5.5 0L0 5.5L-5.5 0z', error: 'M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5', cancel: 'M0 -7.5V7.5', other: 'M-2 0h4' };
    const signOf = kind => Object.keys(KINDS).find(sign => kind in KINDS[sign]);
    let current = 0;

    function make(parent, name, attributes = {}, text) {
      const isSVG = name === 'svg' || parent instanceof SVGElement;
      const element = document.createElementNS(`http://www.w3.org/${isSVG ? '2000/svg' : '1999/xhtml'}`, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      if (text !== undefined) element.textContent = text;
      return parent.appendChild(element);
    }
    const sign = (parent, name, x, y) => make(parent, 'path', { d: SHAPES[name], transform: `translate(${x} ${y})`,
      style: `stroke: var(--${name}); stroke-width: 2; fill: ${'own error cancel'.includes(name) ? 'none' : `var(--${name})`}` });

    // Each lane takes the first row whose lane has ended.
    const rows = [];
    steps.forEach((step, index) => {
      for (const lane of step.lanes.concat(step.origin ?? [])) {
        lanes[lane].first ??= index;
        lanes[lane].last = step.kind === 'open' || !lanes[lane].isAction ? last : Math.max(lanes[lane].last ?? 0, index);
        lanes[lane].isOpen ||= step.kind === 'open';
      }
    });
    for (const lane of lanes) {
      const row = rows.findIndex(end => end < lane.first);
      lane.row = row < 0 ? rows.length : row;
      rows[lane.row] = Math.max(lane.last, lane.first + Math.ceil(Math.min(lane.label.length, 24) * 7.4 / WIDTH)) + 1;
    }
    const x = step => LEFT + (step + 0.5) * WIDTH, y = lane => TOP + (lanes[lane].row + 0.7) * HEIGHT, box = $('#lanes');
    const chart = make(box, 'svg', { width: 2 * LEFT + (steps.length + 6) * WIDTH, height: TOP + rows.length * HEIGHT + 14 });

    // Draws what the box shows.
    function draw() {
      const from = Math.floor((box.scrollLeft - LEFT) / WIDTH) - 1, to = from + Math.ceil(box.clientWidth / WIDTH) + 3;
      const column = (step, name) => make(chart, 'rect', { class: name, x: x(step) - WIDTH / 2, y: 0, width: WIDTH, height: '100%' });
      chart.replaceChildren();
      column(current, 'cursor');
      if (failing !== undefined) column(failing, 'alarm');
      lanes.forEach((lane, index) => {
        if (lane.first > to || lane.last + 8 < from) return;
        const name = (lane.isOpen ? 'open' : '') + (steps[current]?.lanes.includes(index) ? ' on' : '');
        make(chart, 'line', { class: name, x1: x(lane.first), x2: x(lane.last), y1: y(index), y2: y(index) });
        const place = Math.max(x(lane.first) - 6, Math.min(box.scrollLeft, x(lane.last)));
        make(chart, 'text', { x: place, y: y(index) - 9 }, lane.label.slice(0, 24));
      });
      for (let index = Math.max(from, 0); index <= Math.min(to, last); index++) {
        const { kind, origin, lanes: own } = steps[index];
        if (origin !== undefined) make(chart, 'path', { class: 'cause', d: `M${x(index)} ${y(origin)}V${y(own[0])}` });
        for (const lane of own) sign(chart, signOf(kind), x(index), y(lane));
      }
    }

    // The number of characters, or lines, that both have at their beginnings, and at the ends of the rest.
    function shared(old, now) {
      let start = 0, tail = 0;
      while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
      while (tail < Math.min(old.length, now.length) - start && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
      return [start, tail];
    }

    // The lines of both lists, each with ' ', '-' or '+'. In the middle: a longest common part, if the lists are not too long.
    function difference(old, now) {
      const [start, tail] = shared(old, now), a = old.slice(start, old.length - tail), b = now.slice(start, now.length - tail);
      const same = lines => lines.map(line => [' ', line]), result = same(now.slice(0, start));
      const isSmall = a.length * b.length <= 200000, row = b.length + 1, common = new Uint16Array(isSmall ? (a.length + 1) * row : 0);
      const at = (i, j) => common[i * row + j];
      for (let i = a.length - 1; isSmall && i >= 0; i--) for (let j = b.length - 1; j >= 0; j--)
        common[i * row + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      for (let i = 0, j = 0; i < a.length || j < b.length;) {
        if (isSmall && i < a.length && j < b.length && a[i] === b[j]) result.push([' ', a[i++]]), j++;
        else if (i < a.length && (j === b.length || !isSmall || at(i + 1, j) >= at(i, j + 1))) result.push(['-', a[i++]]);
        else result.push(['+', b[j++]]);
      }
      return result.concat(same(now.slice(now.length - tail)));
    }

    // Adds lines. Of a removed line and an added one in its place, the part in which they differ is marked.
    function show(parent, changes) {
      changes.forEach(([sign, line], index) => {
        const [before, after] = [changes[index - 1], changes[index + 1]], other = sign === '-' && after?.[0] === '+' ? after[1]
          : sign === '+' && before?.[0] === '-' ? before[1] : line, [start, tail] = shared(other, line);
        const element = make(parent, 'span', { class: { '-': 'minus', '+': 'plus' }[sign] ?? '' }, `${sign} ${line.slice(0, start)}`);
        if (start < line.length - tail) make(element, 'b', {}, line.slice(start, line.length - tail));
        element.append(line.slice(Math.max(line.length - tail, start)));
      });
    }
    const stateAt = (model, step) => {
      for (; step >= 0; step--) { const state = steps[step].states.findLast(state => state.model == model); if (state) return state.lines; }
    };

    function go(step) {
      if (last < 0) return;
      current = Math.min(Math.max(step, 0), last);
      const { kind, time, label, lines, lanes: own } = steps[current], name = KINDS[signOf(kind)][kind];
      $('#position').textContent = `Step ${current + 1} of ${steps.length}` + (time === undefined ? '' : ` · ${time} ms`);
      $('#slider').value = current;
      $('#slider').setAttribute('aria-valuetext', `${name} ${label}`);
      $('#entry h3').textContent = `${name} `;
      make($('#entry h3'), 'code', {}, label);
      if (failing === current) make($('#entry h3'), 'span', { class: 'badge' }, ' fails here');
      $('#entry .about').textContent = own.map(lane => lanes[lane].label).filter(text => text !== label).join(' · ');
      $('#entry pre').textContent = lines.join('\n');
      $('#change div').replaceChildren();
      $('#state pre').replaceChildren();
      for (const model in models) {
        const old = stateAt(model, current - 1) ?? [], now = stateAt(model, current) ?? old;
        const all = old === now ? [] : difference(old, now);
        const near = all.filter((_, index) => [all[index - 1], all[index], all[index + 1]].some(line => line && line[0] !== ' '));
        if (near.length) make($('#change div'), 'p', { class: 'about' }, models[model]), show(make($('#change div'), 'pre'), near);
        make($('#state pre'), 'span', { class: 'about' }, models[model]);
        show($('#state pre'), now.map(line => [' ', line]));
      }
      if (x(current) < box.scrollLeft + 60 || x(current) > box.scrollLeft + box.clientWidth - 60)
        box.scrollLeft = x(current) - box.clientWidth / 2;
      const line = y(own[0]);
      if (line < box.scrollTop + HEIGHT || line > box.scrollTop + box.clientHeight - 20) box.scrollTop = line - box.clientHeight / 2;
      draw();
    }

    document.title = $('#title').textContent = title;
    $('#failure').textContent = failure ?? '';
    $('#failure').hidden = failure === undefined;
    $('#to-failure').hidden = failing === undefined;
    $('#slider').max = Math.max(last, 0);
    for (const name in KINDS) {
      const item = make($('#legend'), 'span');
      sign(make(item, 'svg', { width: 16, height: 18 }), name, 8, 10);
      item.append(name === 'other' ? 'something else' : Object.values(KINDS[name])[0]);
    }
    const keys = { ArrowLeft: () => current - 1, ArrowRight: () => current + 1, Home: () => 0, End: () => last };
    addEventListener('keydown', event => {
      if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(keys[event.key]());
    });
    $('#slider').addEventListener('input', event => go(Number(event.target.value)));
    $('#back').addEventListener('click', () => go(current - 1));
    $('#forward').addEventListener('click', () => go(current + 1));
    $('#to-failure').addEventListener('click', () => go(failing));
    chart.addEventListener('click', event => go(Math.floor((event.clientX - chart.getBoundingClientRect().left - LEFT) / WIDTH)));
    box.addEventListener('scroll', draw);
    addEventListener('resize', draw);
    go(failing ?? 0);
    </script>
    </html>
    """#
}
