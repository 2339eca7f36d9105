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
    :root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e4e7eb); --paper: light-dark(#fff, #14171b); --line: #8885;
      --action: #3478f6; --own: #3478f6; --answer: #2a9d5c; --element: #a05ae8; --cancel: #d9822b; --error: #e5484d; --other: #808894; }
    * { box-sizing: border-box; margin: 0; } [hidden] { display: none; }
    body { background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; padding: 12px 16px 24px; }
    pre, code, text { font: 12.5px ui-monospace, Menlo, monospace; } pre { white-space: pre-wrap; } pre, h3 { overflow-wrap: anywhere; }
    h1 { font-size: 17px; } h2 { font-size: 12px; } h2, .about { color: var(--other); } h3 { font-size: 14px; }
    #failure { margin-top: 8px; padding: 8px; border-left: 4px solid var(--error); max-height: 9em; overflow: auto; }
    nav { position: sticky; top: 0; background: var(--paper); padding: 8px 0; display: flex; gap: 8px; } input { flex: 1; min-width: 0; }
    button, .badge { color: var(--error); } #lanes { overflow: auto; max-height: 46vh; }
    svg { display: block; cursor: pointer; } text { fill: var(--ink); } .sign { text-anchor: middle; font-size: 16px; }
    line, .cause { stroke: var(--other); } .open, .cause { stroke-dasharray: 3 3; } .on { stroke-width: 3; }
    .cursor { fill: #3478f633; } .failing { fill: #e5484d33; }
    main { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); margin-top: 16px; }
    #lanes, section { border: 1px solid var(--line); border-radius: 8px; } section { padding: 12px; min-width: 0; }
    pre span { display: block; min-height: 1.4em; } b { background: var(--line); }
    .minus { background: #e5484d33; } .plus { background: #2a9d5c33; }
    </style>
    <h1 id="title"></h1><pre id="failure" hidden></pre>
    <nav><output id="position"></output><input id="slider" type="range" min="0" value="0" aria-label="Step">
      <button id="to-failure" hidden>Failure</button></nav>
    <div id="lanes" aria-hidden="true"></div>
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
    const $ = selector => document.querySelector(selector), last = steps.length - 1, WIDTH = 24, HEIGHT = 34;
    // The kinds of each sign, and their names.
    const KINDS = { action: { action: 'Action', again: 'Action that begins again' }, own: { own: 'Own action' },
      answer: { answer: 'Answer', past: 'Earlier answer' }, element: { element: 'Element', opening: 'First element', latest: 'Newest one' },
      cancel: { cancel: 'Cancellation', gone: 'Cancelled before it began' },
      error: { error: 'Error', failed: 'Stream failed', failure: 'Error of no action', thrown: 'Earlier error' },
      other: { completed: 'Stream completed', event: 'Event', quiet: 'End of a quiet time', timer: 'Timer', call: 'Output', value: 'Value',
        resume: 'Resume', pause: 'Pause', open: 'No answer yet', model: 'View model made', end: 'View model ended', choice: 'Test',
        begin: 'The recording begins here', middle: 'The recording begins in the middle' } };
    const SIGNS = { action: '●', own: '○', answer: '■', element: '◆', cancel: '┃', error: '✕', other: '·' };
    const signOf = kind => Object.keys(KINDS).find(sign => kind in KINDS[sign]), nameOf = kind => KINDS[signOf(kind)][kind];
    let current = 0;

    function make(parent, name, attributes = {}, text) {
      const isSVG = name === 'svg' || parent instanceof SVGElement;
      const element = document.createElementNS(`http://www.w3.org/${isSVG ? '2000/svg' : '1999/xhtml'}`, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      if (text !== undefined) element.textContent = text;
      return parent.appendChild(element);
    }

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
    const x = step => (step + 1) * WIDTH, y = lane => (lanes[lane].row + 1.3) * HEIGHT, box = $('#lanes');
    const chart = make(box, 'svg', { width: x(steps.length + 6), height: (rows.length + 1) * HEIGHT });
    const column = (step, name) => make(chart, 'rect', { class: name, x: x(step) - WIDTH / 2, width: WIDTH, height: '100%' });
    if (failing !== undefined) column(failing, 'failing');
    const cursor = column(0, 'cursor');
    lanes.forEach((lane, index) => {
      const [x1, x2, height] = [x(lane.first), x(lane.last), y(index)];
      lane.line = make(chart, 'line', { class: lane.isOpen ? 'open' : '', x1, x2, y1: height, y2: height });
      make(chart, 'text', { x: x1 - 6, y: height - 9 }, lane.label.slice(0, 24));
    });
    steps.forEach(({ kind, origin, lanes: own }, index) => {
      if (origin !== undefined) make(chart, 'path', { class: 'cause', d: `M${x(index)} ${y(origin)}V${y(own[0])}` });
      for (const lane of own) {
        const place = { x: x(index), y: y(lane) + 5, class: 'sign', style: `fill: var(--${signOf(kind)})` };
        make(make(chart, 'text', place, SIGNS[signOf(kind)]), 'title', {}, nameOf(kind));
      }
    });

    // The lines of both lists, each with ' ', '-' or '+'. Of two that differ, the one that comes again sooner waits.
    function difference(old, now) {
      const result = [];
      for (let i = 0, j = 0; i < old.length || j < now.length;) {
        const place = now.indexOf(old[i], j), other = old.indexOf(now[j], i);
        if (i < old.length && place === j) result.push([' ', old[i++]]), j++;
        else if (j === now.length || i < old.length && (place < 0 || other >= 0 && other - i < place - j)) result.push(['-', old[i++]]);
        else result.push(['+', now[j++]]);
      }
      return result;
    }

    // Adds lines. Of a removed line and an added one in its place, the part in which they differ is marked.
    function show(parent, changes) {
      changes.forEach(([sign, line], index) => {
        const [before, after] = [changes[index - 1], changes[index + 1]];
        const other = sign === '-' && after?.[0] === '+' ? after[1] : sign === '+' && before?.[0] === '-' ? before[1] : line;
        let [start, end] = [0, line.length];
        while (start < end && line[start] === other[start]) start++;
        while (end > start && other.length - line.length + end > start && line[end - 1] === other.at(end - 1 - line.length)) end--;
        const element = make(parent, 'span', { class: { '-': 'minus', '+': 'plus' }[sign] ?? '' }, `${sign} ${line.slice(0, start)}`);
        if (start < end) make(element, 'b', {}, line.slice(start, end));
        element.append(line.slice(end));
      });
    }
    const stateAt = (model, step) =>
      steps.slice(0, step + 1).findLast(step => step.states.some(state => state.model == model))
        ?.states.findLast(state => state.model == model).lines ?? [];

    function go(step) {
      if (last < 0) return;
      current = Math.min(Math.max(step, 0), last);
      const { kind, time, label, lines, lanes: own } = steps[current], heading = $('#entry h3');
      $('#position').textContent = `Step ${current + 1} of ${steps.length}` + (time === undefined ? '' : ` · ${time} ms`);
      $('#slider').value = current;
      $('#slider').setAttribute('aria-valuetext', `${nameOf(kind)} ${label}`);
      heading.textContent = `${nameOf(kind)} `;
      make(heading, 'code', {}, label);
      if (failing === current) make(heading, 'span', { class: 'badge' }, ' fails here');
      $('#entry .about').textContent = own.map(lane => lanes[lane].label).filter(text => text !== label).join(' · ');
      $('#entry pre').textContent = lines.join('\n');
      $('#change div').replaceChildren();
      $('#state pre').replaceChildren();
      for (const model in models) {
        const now = stateAt(model, current), all = difference(stateAt(model, current - 1), now);
        const near = all.filter((_, index) => [all[index - 1], all[index], all[index + 1]].some(line => line && line[0] !== ' '));
        if (near.length) make($('#change div'), 'p', { class: 'about' }, models[model]), show(make($('#change div'), 'pre'), near);
        make($('#state pre'), 'span', { class: 'about' }, models[model]);
        show($('#state pre'), now.map(line => [' ', line]));
      }
      cursor.setAttribute('x', x(current) - WIDTH / 2);
      lanes.forEach((lane, index) => lane.line.classList.toggle('on', own.includes(index)));
      const near = (place, start, size) => place > start + 60 && place < start + size - 60 ? start : place - size / 2;
      box.scrollLeft = near(x(current), box.scrollLeft, box.clientWidth);
      box.scrollTop = near(y(own[0]), box.scrollTop, box.clientHeight);
    }

    document.title = $('#title').textContent = title;
    $('#failure').textContent = failure ?? '';
    $('#failure').hidden = failure === undefined;
    $('#to-failure').hidden = failing === undefined;
    $('#to-failure').onclick = () => go(failing);
    $('#slider').max = Math.max(last, 0);
    $('#slider').oninput = event => go(Number(event.target.value));
    chart.onclick = event => go(Math.round((event.clientX - chart.getBoundingClientRect().left) / WIDTH) - 1);
    onkeydown = event => {
      const step = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(step);
    };
    go(failing ?? 0);
    </script>
    </html>
    """#
}
