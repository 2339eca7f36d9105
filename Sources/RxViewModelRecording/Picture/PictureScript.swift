extension PicturePage {
  /// What stands behind the data: the script, and the end of the page.
  static let tail = #"""
    </script>
    <script>
    'use strict';
    const { title, failure, failing, models, lanes, steps } = JSON.parse(document.getElementById('data').textContent);
    const $ = selector => document.querySelector(selector);
    const last = steps.length - 1;

    // Each kind's sign, and its name.
    const KINDS = {
      action: ['action', 'Action'], own: ['own', 'Own action'], gone: ['cancel', 'Cancelled before it began'],
      answer: ['answer', 'Answer'], error: ['error', 'Error'], element: ['element', 'Element'],
      opening: ['element', 'First element'], cancel: ['cancel', 'Cancellation'], failed: ['error', 'Stream failed'],
      failure: ['error', 'Error of no action'], completed: ['other', 'Stream completed'], event: ['other', 'Event'],
      quiet: ['other', 'End of a quiet time'], call: ['other', 'Output'], value: ['other', 'Value'], resume: ['other', 'Resume'],
      open: ['other', 'No answer yet'], pause: ['other', 'Pause'], model: ['other', 'View model made'],
      end: ['other', 'View model ended'], middle: ['other', 'The recording begins in the middle'], choice: ["other", "Test"],
    };
    const SIGNS = {
      action: 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0', own: 'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0',
      answer: 'M-4 -4h8v8h-8z', element: 'M0 -5.5L5.5 0L0 5.5L-5.5 0z', error: 'M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5',
      cancel: 'M0 -7.5V7.5', other: 'M-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0',
    };
    const signOf = step => KINDS[step.kind][0];

    function make(parent, name, attributes, text) {
      const isSVG = name === 'svg' || parent instanceof SVGElement;
      const element = document.createElementNS(`http://www.w3.org/${isSVG ? '2000/svg' : '1999/xhtml'}`, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      if (text !== undefined) element.textContent = text;
      return parent.appendChild(element);
    }

    // The states of each view model, in the order of the steps.
    const history = {};
    steps.forEach((step, index) => {
      for (const { model, text } of step.states) (history[model] ??= []).push({ step: index, text });
    });
    for (const model in history) history[model].sort((a, b) => a.step - b.step);

    // MARK: Lanes

    steps.forEach((step, index) => {
      for (const lane of step.lanes.concat(step.origin ?? [])) {
        lanes[lane].first ??= index;
        lanes[lane].last = index;
        if (step.kind === 'open') lanes[lane].isOpen = true;
        if (step.kind === 'end') lanes[lane].hasEnded = true;
      }
    });
    for (const lane of lanes) if (lane.isOpen || !lane.isAction && lane.model !== undefined && !lane.hasEnded) lane.last = last;

    const box = $('#lanes'), chart = make(box, 'svg', {});
    const LEFT = 18, TOP = 20, LETTER = 6.95;
    let width = 0, height = 0, labelled = 0, drawnAt = 0;
    const x = step => LEFT + (step + 0.5) * width, y = lane => TOP + (lanes[lane].row + 0.7) * height;
    const short = (text, count) => text.length > count ? text.slice(0, Math.max(count - 1, 0)) + '…' : text;

    // A few actions have a row each. Of many, an action takes the first row whose action has ended.
    function arrange() {
      width = Math.min(Math.max((box.clientWidth - 2 * LEFT) / steps.length, 20), 130);
      const isDense = lanes.length > 10, rows = [];
      height = isDense ? 30 : 38;
      labelled = isDense ? 22 : 60;
      for (const lane of lanes) {
        const end = Math.max(lane.last, lane.first + Math.ceil(short(lane.label, labelled).length * LETTER / width)) + 1;
        let row = isDense ? rows.findIndex(end => end < lane.first) : -1;
        if (row < 0) row = rows.push(0) - 1;
        rows[row] = end;
        lane.row = row;
      }
      chart.setAttribute('width', Math.max(2 * LEFT + steps.length * width, box.clientWidth - 2));
      chart.setAttribute('height', TOP + rows.length * height + 14);
    }

    // Draws what the box shows.
    function draw() {
      const from = Math.floor((box.scrollLeft - LEFT) / width) - 1, to = from + Math.ceil(box.clientWidth / width) + 3;
      const column = (step, name) => make(chart, 'rect', { class: name, x: x(step) - width / 2, y: 0, width, height: '100%', rx: 3 });
      chart.replaceChildren();
      drawnAt = box.scrollLeft;
      if (last < 0) return;
      column(current, 'cursor');
      if (failing !== undefined) {
        column(failing, 'alarm').setAttribute('stroke-width', failing === current ? 2 : 1);
        make(chart, 'text', { x: x(failing), y: 13, 'text-anchor': 'middle', style: 'fill: var(--error)' }, width < 40 ? '✗' : 'fails');
      }
      const labels = [];
      lanes.forEach((lane, index) => {
        const end = lane.first + short(lane.label, labelled).length * LETTER / width;
        if (lane.first > to || Math.max(lane.last, end) < from) return;
        const isOn = steps[current].lanes.includes(index);
        make(chart, 'line', {
          class: `lane${isOn ? ' on' : ''}${lane.isOpen ? ' open' : ''}`, y1: y(index), y2: y(index),
          x1: x(Math.max(lane.first, from)), x2: x(Math.min(lane.last, to)) + (lane.last === last && !lane.isAction ? width / 2 : 0),
        });
        const place = Math.max(x(lane.first) - 6, Math.min(box.scrollLeft + 6, x(lane.last) - lane.label.length * LETTER));
        labels.push([{ x: place, y: y(index) - 11 }, short(lane.label, labelled)]);
      });
      for (let index = Math.max(from, 0); index <= Math.min(to, last); index++) {
        const step = steps[index], sign = signOf(step);
        if (step.origin !== undefined) {
          make(chart, 'path', { class: 'cause', d: `M${x(index)} ${y(step.origin)}V${y(step.lanes[0])}` });
        }
        for (const lane of step.lanes) {
          make(chart, 'path', { class: `sign ${sign}`, d: SIGNS[sign], transform: `translate(${x(index)} ${y(lane)})` });
        }
        if (width >= 70 && ['answer', 'element', 'error', 'value'].includes(step.kind)) {
          make(chart, 'text', { class: 'hint', x: x(index), y: y(step.lanes[0]) + 15, 'text-anchor': 'middle' },
            short(step.label.split(' → ').at(-1), Math.floor(width / 6.5)));
        }
      }
      for (const [attributes, text] of labels) make(chart, 'text', attributes, text);
    }

    // Scrolls so that the current step has others on both sides.
    function follow() {
      const margin = Math.min(box.clientWidth / 4, 4 * width), place = x(current);
      if (place < box.scrollLeft + margin) box.scrollLeft = place - box.clientWidth * 0.6;
      if (place > box.scrollLeft + box.clientWidth - margin) box.scrollLeft = place - box.clientWidth * 0.4;
      const line = y(steps[current].lanes[0]);
      if (line < box.scrollTop + height || line > box.scrollTop + box.clientHeight - 20) box.scrollTop = line - box.clientHeight / 2;
    }

    // MARK: States

    // Breaks the text of a state into lines: a group that is long, and the outermost one, has a line for each part.
    function lines(text) {
      const end = new Map(), open = [], broken = [], result = [];
      const skip = index => {  // The last index of a string that begins here.
        let next = index + 1;
        while (next < text.length && text[next] !== '"') next += text[next] === '\\' ? 2 : 1;
        return next;
      };
      for (let i = 0; i < text.length; i++) {
        if (text[i] === '"') i = skip(i);
        else if ('([{'.includes(text[i])) open.push(i);
        else if (')]}'.includes(text[i]) && open.length) end.set(open.pop(), i);
      }
      let line = '';
      const flush = () => { result.push(line); line = '  '.repeat(Math.min(broken.length, 20)); };
      for (let i = 0; i < text.length; i++) {
        const isClosing = broken.length && i === broken.at(-1);
        if (text[i] === '"') {
          const start = i;
          line += text.slice(start, (i = skip(i)) + 1);
        } else if (end.has(i) && (end.get(i) - i > 56 || !broken.length && end.get(i) > i + 1)) {
          line += text[i];
          broken.push(end.get(i));
          flush();
        } else if (end.has(i)) {
          line += text.slice(i, end.get(i) + 1);
          i = end.get(i);
        } else if (isClosing) {
          broken.pop();
          if (line.trim()) flush(); else line = '  '.repeat(Math.min(broken.length, 20));
          line += text[i];
        } else if (text[i] === ',' && broken.length) {
          flush();
          if (text[i + 1] === ' ') i++;
        } else {
          line += text[i];
        }
      }
      return result.concat(line).flatMap(line => line.split('\n'));
    }

    // The lines of both lists: each has a sign, ' ', '-' or '+'. Where both differ much, all lines between count as changed.
    function difference(old, now) {
      let start = 0, tail = 0;
      while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
      while (tail < Math.min(old.length, now.length) - start && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
      const a = old.slice(start, old.length - tail), b = now.slice(start, now.length - tail), middle = [];
      const row = b.length + 1, isSmall = a.length * b.length <= 200000;
      // The length of the longest common part behind line i of the one, and line j of the other.
      const common = new Uint16Array(isSmall ? (a.length + 1) * row : 0), at = (i, j) => common[i * row + j];
      for (let i = a.length - 1; isSmall && i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) {
        common[i * row + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      }
      let i = 0, j = 0;
      while (i < a.length || j < b.length) {
        if (isSmall && i < a.length && j < b.length && a[i] === b[j]) middle.push([' ', a[i++]]), j++;
        else if (i < a.length && (j === b.length || !isSmall || at(i + 1, j) >= at(i, j + 1))) middle.push(['-', a[i++]]);
        else middle.push(['+', b[j++]]);
      }
      return [...now.slice(0, start).map(line => [' ', line]), ...middle, ...now.slice(now.length - tail).map(line => [' ', line])];
    }

    // Adds lines. A removed line and the added one in its place have the part marked in which they differ.
    function show(parent, changes) {
      const NAMES = { '-': 'minus', '+': 'plus', ' ': 'same' };
      for (let i = 0; i < changes.length; i++) {
        let size = 0, added = 0;
        while (changes[i + size]?.[0] === '-') size++;
        while (changes[i + size + added]?.[0] === '+') added++;
        const isPair = size > 0 && size === added;
        for (let k = 0; k < Math.max(size + added, 1); k++) {
          const [sign, line] = changes[i + k], other = isPair ? changes[i + (k + size) % (2 * size)][1] : line;
          let from = 0, tail = 0;
          while (from < Math.min(line.length, other.length) && line[from] === other[from]) from++;
          while (tail < Math.min(line.length, other.length) - from && line.at(-1 - tail) === other.at(-1 - tail)) tail++;
          const element = make(parent, 'span', { class: NAMES[sign] }, `${sign} ${line.slice(0, from)}`);
          if (from + tail < line.length) make(element, 'b', {}, line.slice(from, line.length - tail));
          element.append(tail ? line.slice(line.length - tail) : '');
        }
        i += Math.max(size + added, 1) - 1;
      }
    }

    // Leaves out the lines that are more than one line away from a change.
    const changed = all => all.filter((line, index) => [all[index - 1], line, all[index + 1]].some(near => near && near[0] !== ' '));
    const stateAt = (model, step) => history[model]?.findLast(state => state.step <= step)?.text;

    // MARK: The current step

    let current = 0, pinned = '';

    function showStep() {
      const step = steps[current], model = lanes[step.lanes[0]].model, [sign, name] = [signOf(step), KINDS[step.kind][1]];
      const heading = $('#entry h3');
      heading.replaceChildren();
      make(make(heading, 'svg', { viewBox: '-8 -8 16 16' }), 'path', { class: `sign ${sign}`, d: SIGNS[sign] });
      heading.append(name + ' ');
      make(heading, 'code', {}, step.label);
      if (failing === current) make(heading, 'span', { class: 'badge' }, 'fails here');
      const about = [step.time === undefined ? '' : duration(step.time), models[model] ?? ''];
      for (const lane of step.lanes) if (lanes[lane].isAction && lanes[lane].label !== step.label) about.push(lanes[lane].label);
      $('#entry .about').textContent = about.filter(text => text).join(' · ');
      $('#entry pre').textContent = step.lines.join('\n');
      $('#entry pre').hidden = !step.lines.length;

      const changes = $('#change div');
      changes.replaceChildren();
      const before = {};
      for (const { model, text } of step.states) {
        const old = before[model] ?? stateAt(model, current - 1);
        before[model] = text;
        if (old === text) continue;
        if (Object.keys(models).length > 1) make(changes, 'p', { class: 'about' }, models[model]);
        show(make(changes, 'pre', {}), changed(difference(old === undefined ? [] : lines(old), lines(text))));
      }
      if (!changes.hasChildNodes()) make(changes, 'p', { class: 'about' }, 'No state is recorded at this step.');
      showState(pinned || String(model ?? step.states.at(-1)?.model ?? Object.keys(models)[0] ?? ''));
    }

    function showState(model) {
      const text = stateAt(model, current), pre = $('#state pre');
      $('#state select').value = model;
      pre.replaceChildren();
      if (text === undefined) return make(pre, 'span', { class: 'same' }, 'No state is recorded up to here.');
      const old = steps[current].states.some(state => state.model == model) ? stateAt(model, current - 1) : text;
      let run = [];
      for (const [sign, line] of difference(lines(old ?? text), lines(text))) {
        if (sign === ' ') run.push(line);
        if (sign !== '+') continue;
        pre.append(run.map(line => line + '\n').join(''));
        run = [];
        make(pre, 'span', { class: 'plus', style: 'margin: 0 -6px' }, line);
      }
      pre.append(run.join('\n'));
    }

    const duration = time => time < 10000 ? `${time} ms` : `${(time / 1000).toFixed(2)} s`;

    function go(step) {
      if (last < 0) return;
      current = Math.min(Math.max(step, 0), last);
      const { kind, time, label } = steps[current];
      const text = `Step ${(current + 1).toLocaleString('en')} of ${steps.length.toLocaleString('en')}`;
      $('#position').textContent = text + (time === undefined ? '' : ` · ${duration(time)}`);
      $('#slider').value = current;
      $('#slider').setAttribute('aria-valuetext', `${text}: ${KINDS[kind][1]} ${label}`);
      $('#back').disabled = current === 0;
      $('#forward').disabled = current === last;
      showStep();
      follow();
      draw();
    }

    document.title = $('#title').textContent = title;
    $('#failure').textContent = failure ?? '';
    $('#failure').hidden = failure === undefined;
    $('#to-failure').hidden = failing === undefined;
    $('#slider').max = Math.max(last, 0);
    $('#map').setAttribute('viewBox', `0 0 ${Math.max(last, 1)} 14`);
    for (const name of ['other', 'action', 'own', 'answer', 'element', 'cancel', 'error']) {
      const marks = steps.flatMap((step, index) => signOf(step) === name ? [`M${index} ${name === 'other' ? 8 : 3}V14`] : []);
      make($('#map'), 'path', { class: name, d: marks.join('') });
      const words = { own: 'own action', cancel: 'cancellation', other: 'something else' };
      const item = make($('#legend'), 'li', {});
      make(make(item, 'svg', { viewBox: '-8 -8 16 16' }), 'path', { class: `sign ${name}`, d: SIGNS[name] });
      item.append(words[name] ?? name);
    }
    if (failing !== undefined) make($('#map'), 'path', { class: 'failing', d: `M${failing} -2V16` });
    for (const model in models) make($('#state select'), 'option', { value: model }, models[model]);
    $('#state select').hidden = Object.keys(models).length < 2;

    const keys = { ArrowLeft: () => current - 1, ArrowRight: () => current + 1, Home: () => 0, End: () => last };
    addEventListener('keydown', event => {
      if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey || event.target.localName === 'select') return;
      event.preventDefault();
      go(keys[event.key]());
    });
    $('#slider').addEventListener('input', event => go(Number(event.target.value)));
    $('#back').addEventListener('click', () => go(current - 1));
    $('#forward').addEventListener('click', () => go(current + 1));
    $('#to-failure').addEventListener('click', () => go(failing));
    $('#state select').addEventListener('change', event => { pinned = event.target.value; showStep(); });
    chart.addEventListener('click', event => go(Math.floor((event.clientX - chart.getBoundingClientRect().left - LEFT) / width)));
    box.addEventListener('scroll', () => box.scrollLeft === drawnAt || draw());
    addEventListener('resize', () => { arrange(); go(current); });
    arrange();
    go(failing ?? 0);
    </script>
    </html>
    """#
}
