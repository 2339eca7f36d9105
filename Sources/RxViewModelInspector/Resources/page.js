'use strict';
// What is shown is made with `textContent` and attributes only. Times are milliseconds since the session's begin. Where nothing of what is
// shown happens for more than IDLE, or, while an action is unfinished, for more than BUSY, the axis leaves out all but FOLD: see `place`.
const ROW = 24, MORE = 6, IDLE = 500, BUSY = 3000, FOLD = 120, AXIS = 26, BAND = 22, HUES = 6, EARLY = ['dropped', 'cancelled', 'failed'];
// In a session whose unit is a step, STEP is a step's time.
const LINKS = ['culprit', 'waited', 'executor'], STEP = 100;
const { nonce } = document.currentScript, $ = id => document.getElementById(id), list = $('list'), chart = $('chart'), pool = [];
const make = (parent, name, className = '', text = '', more) => {
  const element = Object.assign(document.createElement(name), { className, textContent: text }, more);
  parent?.append(element);
  return element;
};
const svg = (parent, name, attributes, text = '') => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.textContent = text;
  parent.append(element);
  return element;
};
const path = (parent, className, d) => svg(parent, 'path', { class: className, d });
const lengthOf = t => head.unit ? `${t / STEP} ${t === STEP ? 'step' : 'steps'}` : t < 1000 ? `${Math.round(t)} ms`
  : t < 60_000 ? `${+(t / 1000).toFixed(2)} s` : `${Math.floor(t / 60_000)}:${(t / 1000 % 60).toFixed(1).padStart(4, '0')}`;
const clock = t => head.unit ? `step ${Math.ceil(t / STEP) + 1}` : lengthOf(t);

// MARK: The session

// `known` is the number of the next entry, `oldest` that of the first of `entries`.
let head = {}, known = 0, oldest = 0, changed = 0, entries, models, modelOf, actions, byKey, awaited, rows = [], parts = new Map();
let selected, hovered, following = true, onlyEarly = false, zoom, lastTop = 0, isDue = false, shownDetail, view = {};

function begin() {
  [entries, models, actions, known, oldest, selected, hovered] = [[], [], [], head.from, head.from];
  [modelOf, byKey, awaited] = [new Map(), new Map(), new Map()];
}

/// Called by `session.js`, and by the files with the entries before it, which never change.
function session(newHead, newEntries) {
  if (newHead.id < head.id) return;
  if (newHead.id !== head.id) parts.clear(), head = newHead, begin();
  if (newHead.first >= head.first && newHead.now >= head.now) head = newHead;
  // Of a gap, the ends of actions are missing too.
  if (head.from > known) begin();
  parts.set(newHead.first, newEntries);
}

/// Takes what has come, in order. Returns the first entry that is missing.
function takeParts() {
  const before = known;
  models = head.models.map(model => {
    const old = modelOf.get(model.m) ?? { states: [], isOff: false, count: 0, hue: `m${(model.m - 1) % HUES}` };
    return modelOf.set(model.m, Object.assign(old, model)).get(model.m);
  });
  for (const [first, part] of [...parts].sort((a, b) => a[0] - b[0])) {
    if (first > known) break;
    for (; known < first + part.length; known++) take(part[known - first]);
    if (first < head.first) parts.delete(first);
  }
  forget();
  if (known > before || head.now !== view.now) update();
  return known < head.first ? known : undefined;
}

/// Drops what the inspector has dropped, so that a page that is open for a day doesn't grow.
function forget() {
  if (head.from <= oldest) return;
  const isOld = action => action.last < head.from && (action.end !== undefined || action.isSource);
  entries.splice(0, head.from - oldest);
  oldest = head.from;
  for (const action of actions) if (isOld(action)) byKey.delete(`${action.m}:${action.a}`), action.model.count--;
  actions = actions.filter(action => !isOld(action));
  for (const action of actions) action.caused = action.caused.filter(([other]) => !isOld(other));
  for (const action of actions) for (const link of LINKS) if (action[link] && isOld(action[link])) action[link] = undefined;
  for (const model of models) model.states = model.states.filter(state => state.t >= (entries[0]?.t ?? 0));
  for (const m of [...modelOf.keys()]) if (!models.some(model => model.m === m)) modelOf.delete(m);
  for (const action of actions) if (action.isSource) action.steps = action.steps.filter(step => step.t >= (entries[0]?.t ?? 0));
  if (selected && isOld(selected)) selected = undefined;
  hovered = undefined;
}

function take(entry) {
  const { k, t, m, a } = entry, model = modelOf.get(m), key = `${m}:${a}`, number = known;
  const action = byKey.get(key);
  entries.push(entry);
  if (!model) return;
  if (!action && (k === 'action' || k === 'source')) {
    const isSource = k === 'source';
    const new_ = { ...entry, name: entry.value.match(/^[^(]*/)[0], model, isSource, steps: [], caused: [], last: number };
    if (isSource) [new_.start, new_.number] = [t, ''];
    byKey.set(key, new_);
    actions.push(new_);
    if (!isSource) model.count++;
    new_.executor = entry.by && byKey.get(`${entry.by.m}:${entry.by.a}`);
    new_.executor?.caused.push([new_, 'executed']);
    awaited.get(key)?.forEach(link => link(new_));
    awaited.delete(key);
  }
  if (k === 'state') model.states.push(entry);
  if (!action || k === 'source') return;
  action.last = number;
  if (k === 'start') action.start = t;
  if (k === 'end') [action.end, action.as, action.error] = [t, entry.as, entry.error];
  else if (k !== 'start' && k !== 'waits') action.steps.push(entry);
  if (k === 'waits') action.waits = entry.cause?.is;
  if (!entry.cause) return;
  if (k === 'end') action.cause = entry.cause;
  const isJoined = entry.cause.is === 'joined', name = k === 'end' && !isJoined ? 'culprit' : 'waited';
  const how = name === 'culprit' ? entry.as : isJoined ? 'joined by' : 'delayed';
  const link = other => {
    if (action[name] === other) return;
    action[name] = other;
    other.caused.push([action, how]);
  };
  // What takes a place comes after the end of what had it.
  const otherKey = `${m}:${entry.cause.a}`, other = byKey.get(otherKey);
  if (other) link(other);
  else if (entry.cause.a > a) awaited.set(otherKey, [...awaited.get(otherKey) ?? [], link]);
}

/// The times that the axis leaves out. O(n log n).
function foldsOf(rows, now) {
  const times = Float64Array.from(rows.flatMap(({ t, start = t, end = now, steps }) => [t, start, end, ...steps.map(step => step.t)])).sort();
  let [next, until, cut] = [0, 0, 0];
  return Array.from(times.subarray(1)).flatMap((to, index) => {
    const from = times[index], length = to - from - FOLD;
    for (; rows[next]?.t <= from; next++) if (!rows[next].isSource) until = Math.max(until, rows[next].end ?? now);
    if (to - from <= (until > from ? BUSY : IDLE)) return [];
    cut += length;
    return { from: from + FOLD / 2, to: to - FOLD / 2, length, cut };
  });
}

/// The index of the first element for which `test` is true. O(log n).
function search(list, test) {
  let [low, high] = [0, list.length];
  while (low < high) test(list[(low + high) >> 1]) ? high = (low + high) >> 1 : low = ((low + high) >> 1) + 1;
  return low;
}

function place(t) {
  const fold = view.folds[search(view.folds, fold => fold.from > t) - 1];
  return !fold ? t : t < fold.to ? fold.from - fold.cut + fold.length : t - fold.cut;
}

// MARK: Sentences

const nameOf = action => action.isSource ? action.value : `#${action.a} ${action.value}`;
const SHORT = { superseded: n => `#${n} took its place`, busy: n => `#${n} is unfinished`, batch: n => `#${n} stopped its batch`,
  request: () => 'by request', bag: () => 'with its bag', removedChild: () => 'with its child', effect: n => `by the effect of #${n}`,
  absentChild: () => 'no such child', misplacedChild: () => 'misplaced child', task: () => 'with its task',
  cancellationError: () => 'by a CancellationError', gone: () => 'with its view model' };

const hasChanged = action => action.steps.some(step => step.diff);

function outcome(action) {
  const { as, cause, error, start, end } = action;
  if (as === 'failed') return `failed: ${error}`;
  if (as === 'dropped' || as === 'cancelled') return `${as}${cause ? `: ${SHORT[cause.is]?.(cause.a) ?? cause.is}` : ''}`;
  if (end === undefined) return action.isSource ? '' : start === undefined ? 'waits' : 'runs';
  return as !== 'completed' || hasChanged(action) ? '' : 'no state change';
}

/// The whole sentence, in texts and actions.
function causeOf(action) {
  const { as, cause, culprit, waited, waits, lane, mode, end, start, error } = action;
  const there = lane ? ` in lane “${lane}”` : mode ? ` in the default lane of ${mode.split('(')[0]}` : '';
  if (as === 'failed') return ['failed: ', error];
  if (culprit && cause.is === 'busy') return ['dropped: ', culprit, ` is unfinished${there}`];
  if (culprit && cause.is === 'superseded') return ['cancelled: ', culprit, ` took its place${there}`];
  if (culprit && cause.is === 'batch') return ['dropped: ', culprit, ' stopped its batch'];
  if (culprit && cause.is === 'effect') return ['cancelled by the effect of ', culprit];
  if (as && as !== 'completed') return [outcome(action)];
  const isWaiting = end === undefined && start === undefined;
  if (waits === 'joined') return [isWaiting ? 'has joined ' : 'ended with ', waited];
  if (waited) return [isWaiting ? 'waits for ' : 'waited for ', waited, there];
  if (isWaiting) return [waits === 'debounced' ? 'waits for its debounce' : `waits${there}`];
  return as === 'completed' && !hasChanged(action) ? ['completed without changing the state'] : [];
}

const isEarly = action => EARLY.includes(action.as);
const ran = action => action.isSource ? '' : action.start === undefined ? '' : lengthOf((action.end ?? head.now) - action.start);
const textOf = action => `${nameOf(action)} ${action.model.name} ${action.mode ?? ''} ${outcome(action)} ${changesOf(action)}`.toLowerCase();
/// So one finds what has changed the title.
const changesOf = action => action.steps.flatMap(step => step.diff ?? []).join(' ');

// MARK: What is shown

/// Of the list, what the panel of a narrow window doesn't cover.
const freeHeight = () => list.clientHeight - (innerWidth <= 900 && selected ? $('detail').offsetHeight : 0);

function update() {
  const text = $('filter').value.toLowerCase();
  rows = actions.filter(action => !action.model.isOff && (!onlyEarly || isEarly(action)) && (!text || textOf(action).includes(text)));
  actions.forEach(action => action.row = -1);
  rows.forEach((action, row) => action.row = row);
  Object.assign(view, { now: head.now, folds: foldsOf(rows, head.now) });
  changed = performance.now();
  document.title = `${head.title} · Inspector`;
  const counts = EARLY.map(as => `${actions.reduce((sum, action) => sum + (action.as === as), 0)} ${as}`);
  $('early').replaceChildren(...EARLY.map((as, index) => make(null, 'span', as === 'failed' ? 'bad' : 'early', counts[index])));
  $('early').ariaLabel = `${counts.join(', ')}: show only these`;
  const countOf = actions => actions.reduce((sum, action) => sum + !action.isSource, 0), [shown, all] = [countOf(rows), countOf(actions)];
  $('count').textContent = `${shown < all ? `${shown} of ` : ''}${all} actions`;
  models.forEach((model, index) => {
    const button = $('names').children[index + 1] ?? make($('names'), 'button', '', '', { onclick: () => {
      models[index].isOff = !models[index].isOff;
      refit();
    } });
    button.ariaPressed = !model.isOff;
    button.className = model.hue;
    (button.children[0] ?? make(button, 'b')).textContent = model.name;
    (button.children[1] ?? make(button, 'span')).textContent = [model.type, model.count].filter(part => part !== '').join(' · ');
  });
  while ($('names').children.length > models.length + 1) $('names').lastChild.remove();
  $('copy').hidden = !models.some(model => model.recorded !== undefined);
  $('none').hidden = actions.length > 0;
  $('filtered').hidden = rows.length > 0 || !actions.length;
  $('bands').setAttribute('height', AXIS + BAND * models.length + 4);
  $('space').style.height = `${rows.length * ROW + 8}px`;
  if (following) list.scrollTop = rows.length * ROW + 8 - freeHeight();
  lastTop = list.scrollTop;
  later();
}

function later() {
  if (!isDue) requestAnimationFrame(() => (isDue = false, draw()));
  isDue = true;
}

function draw() {
  if (!models) return;
  const top = list.scrollTop, from = Math.min(Math.floor(top / ROW), Math.max(rows.length - 1, 0));
  const to = Math.min(rows.length, Math.ceil((top + list.clientHeight) / ROW)), first = Math.max(0, from - MORE);
  const width = Math.max(list.clientWidth - $('names').offsetWidth, 60), rest = Math.min(170, width / 4), visible = rows.slice(from, to);
  // The time at the left edge is that of the first visible row, and moves with it. The scale fits the visible rows, and changes seldom.
  let start = place(visible[0]?.t ?? 0);
  if (visible[1]) start += (place(visible[1].t) - start) * (top / ROW - from);
  const end = visible.reduce((end, action) => Math.max(end, action.isSource ? 0 : place(action.end ?? view.now)), start);
  const wanted = Math.max((width - rest - 16) / Math.max(end - start, 200), .02), old = view.scale ?? 0;
  const scale = zoom ?? (old > wanted || old < wanted / 1.4 ? wanted * .9 : old);
  if (following) start = Math.max(start, end - (width - rest - 16) / scale);
  Object.assign(view, { first, last: Math.min(rows.length, to + MORE), width, scale, at: t => 16 + (place(t) - start) * scale,
    start: search(entries, entry => place(entry.t ?? 0) >= start - 16 / scale), end: start + width / scale });
  drawRows();
  drawAxis();
  drawChart();
  drawDetail();
}

function drawRows() {
  const { first, last } = view;
  while (pool.length < last - first) {
    const row = make($('space'), 'div', 'row'), cell = make(row, 'div');
    row.setAttribute('role', 'option');
    row.parts = [make(cell, 'b'), make(cell, 'span'), make(cell, 'em')];
    make(row.parts[1], 'i');
    row.parts[1].prepend('');
    pool.push(row);
  }
  const free = new Set(pool);
  for (let index = first; index < last; index++) {
    const row = pool[index % pool.length], action = rows[index], [number, name, time] = row.parts;
    const isLinked = selected && LINKS.some(link => selected[link] === action || action[link] === selected);
    const isGone = isEarly(action) && action.as !== 'failed';
    Object.assign(row, { hidden: false, id: `row-${index}`,
      className: `row ${action.model.hue} ${isGone ? 'gone' : ''} ${isLinked ? 'linked' : ''}`,
      ariaSelected: action === selected, ariaPosInSet: index + 1, ariaSetSize: rows.length, index });
    row.ariaLabel = [nameOf(action), action.model.name, outcome(action), ran(action)].filter(Boolean).join(', ');
    free.delete(row);
    row.style.top = `${index * ROW}px`;
    number.textContent = action.isSource ? '' : action.a;
    name.firstChild.data = action.name;
    name.children[0].textContent = action.value.slice(action.name.length);
    time.textContent = ran(action);
  }
  free.forEach(row => row.hidden = true);
  list.setAttribute('aria-activedescendant', selected?.row >= 0 ? `row-${selected.row}` : '');
}

function drawAxis() {
  const { at, width, scale, end } = view, bands = $('bands'), grid = $('grid'), height = (view.last - view.first) * ROW;
  bands.replaceChildren(), grid.replaceChildren();
  Object.entries({ width, height }).forEach(([key, value]) => chart.setAttribute(key, value));
  chart.style.top = `${view.first * ROW}px`;
  const steps = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000].slice(head.unit ? 3 : 0);
  const step = steps.find(step => step * scale > 76) ?? 60_000;
  const begin = Math.floor((entries[Math.max(0, view.start - 1)]?.t ?? 0) / step) * step, taken = [];
  const line = (x, text, className) => {
    path(grid, className, `M${x} 0V${height}`);
    path(bands, className, `M${x} 17V999`);
    if (text) svg(bands, 'text', { x: x + 4, y: 12 }, text), taken.push(x);
  };
  for (const fold of view.folds.slice(search(view.folds, fold => at(fold.from) > 0))) {
    const x = Math.round(at(fold.from)) + .5;
    if (x > width) break;
    line(x, x - (taken.at(-1) ?? -99) > 72 ? `⋯ ${clock(fold.to)}` : '', 'fold');
  }
  for (let t = begin; place(t) < end && t <= view.now; t += step) {
    const x = Math.round(at(t)) + .5, fold = view.folds[search(view.folds, fold => fold.from > t) - 1];
    if (x > 8 && !(fold && t < fold.to) && !taken.some(other => other > x ? other - x < 48 : x - other < 62)) line(x, clock(t), 'gridline');
  }
  if (head.failing !== undefined) line(Math.round(at(head.failing)) + .5, '', 'failing');
  models.forEach((model, index) => {
    const y = AXIS + BAND * index, group = svg(bands, 'g', { class: `${model.hue} ${model.isOff ? 'off' : ''}` });
    const x = Math.max(0, at(model.t)), length = Math.min(width, Math.max(0, at(model.end ?? view.now) - x));
    svg(group, 'rect', { class: 'band', x, y: y + 2, width: length, height: BAND - 4, rx: 2 });
    const { states } = model, from = Math.max(0, search(states, state => at(state.t) >= 0) - 1);
    for (let index = from, right = -9; index < states.length && at(states[index].t) < width; index++) {
      const state = states[index], x = at(state.t), room = (states[index + 1] ? at(states[index + 1].t) : width) - Math.max(x, 0) - 8;
      const isOn = selected && state.m === selected.m && state.a === selected.a;
      svg(group, 'rect', { class: `change ${isOn ? 'on' : ''}`, x, y: y + 2, width: 2, height: BAND - 4 });
      const what = state.what ??= [...new Set(state.diff.map(line => line.slice(2).split(':')[0]))].join(', ');
      if (what.length * 5.9 < room) svg(group, 'text', { class: 'what', x: Math.max(x, 0) + 6, y: y + 15 }, what);
    }
  });
}

function drawChart() {
  const { first, last, at, width } = view, [waits, arrows, bars] = ['waits', 'arrows', 'bars'].map($);
  [waits, arrows, bars].forEach(group => group.replaceChildren());
  const arrow = (className, d) => path(arrows, className, d).setAttribute('marker-end', 'url(#head-of-arrow)');
  const clip = x => Math.min(Math.max(x, -12), width + 12), y = action => (action.row - first) * ROW + ROW / 2;
  for (const action of rows.slice(first, last)) {
    const { hue } = action.model, middle = y(action), as = action.as, end = action.end ?? view.now;
    const [x0, x1, x2] = [action.t, action.start ?? end, end].map(t => clip(at(t))), isGone = as === 'cancelled' || as === 'dropped';
    if (x1 > x0) svg(waits, 'rect', { class: `wait ${hue}`, x: x0, y: middle - 5, width: Math.max(x1 - x0, 1), height: 10 });
    if (action.isSource) path(bars, `thread ${hue}`, `M${x1} ${middle}H${x2}`);
    else if (action.start !== undefined) {
      const width = Math.max(x2 - x1, 2);
      svg(bars, 'rect', { class: `bar ${hue} ${isGone ? 'faded' : ''}`, x: x1, y: middle - 5, width, height: 10, rx: 1.5 });
    }
    for (const { k, t } of action.steps) {
      const x = clip(at(t));
      if (k === 'state') svg(bars, 'rect', { class: 'state', x: x - .75, y: middle + 5, width: 1.5, height: 4 });
      else if (k === 'element') svg(bars, 'circle', { class: `change ${hue}`, cx: x, cy: middle, r: 3.5 });
      else if (k !== 'start') path(bars, k === 'error' ? 'tick bad' : 'tick', `M${x - 3.2} ${middle - 10}h6.4l-3.2 4.4z`);
    }
    if (as === 'dropped') svg(bars, 'circle', { class: 'no', cx: x2, cy: middle, r: 4.5 }), path(bars, 'no', `M${x2 - 3} ${middle + 3}l6 -6`);
    else if (as === 'failed') path(bars, 'cross', `M${x2 + 3} ${middle - 3.5}l7 7m0 -7l-7 7`);
    else if (as) path(bars, `cap ${hue} ${isGone ? 'early' : ''}`, `M${x2} ${middle - 7}v14`);
    // Beside the bar where there is room for the sentence, or else for its first word.
    const hidden = x0 > width ? '›' : x2 < 0 ? '‹' : '', gap = as === 'failed' ? 15 : 10;
    const right = width - x2 - gap, room = Math.max(right, x0 - 10);
    const text = hidden || [outcome(action), as ?? ''].find(text => text.length * 5.9 < room), isLeft = !hidden && text?.length * 5.9 > right;
    const x = hidden ? (hidden === '›' ? width - 12 : 4) : isLeft ? x0 - 8 : x2 + gap;
    const color = as === 'failed' ? 'bad' : as === 'dropped' ? 'early' : '';
    if (text) svg(bars, 'text', { x, y: middle + 4, class: color, 'text-anchor': isLeft ? 'end' : 'start' }, text);
    // Upright, at the time of the cause: from what has ended early to what has ended it.
    if (action.culprit?.row >= 0 && x2 > 0 && x2 < width) {
      const isOn = [selected, hovered].some(one => one === action || one === action.culprit), down = action.culprit.row > action.row ? 1 : -1;
      arrow(`arrow ${as} ${isOn ? 'on' : ''}`, `M${x2} ${middle + 8 * down}V${y(action.culprit) - 7 * down}`);
    }
    for (const [by, x] of [[action.waited, x1], [action.executor, x0]]) {
      if (by?.row >= 0 && (action === selected || action === hovered)) arrow('arrow by', `M${x} ${middle - 7}V${y(by) + 7}`);
    }
  }
}

// MARK: The selected action

/// Of a removed line and the added line behind it, the part in which they differ is marked.
function diff(parent, lines) {
  const box = make(parent, 'div', 'diff');
  lines.forEach((line, index) => {
    const other = line[0] === '-' ? lines[index + 1] : line[0] === '+' ? lines[index - 1] : undefined, pathOf = line => line.slice(1).split(': ')[0];
    const isPair = other && other[0] !== line[0] && pathOf(other) === pathOf(line);
    let [start, tail] = [2, 0];
    if (isPair) while (start < line.length && line[start] === other[start]) start++;
    while (isPair && start > 2 && /\w/.test(line[start - 1])) start--;
    if (isPair) while (tail < Math.min(line.length, other.length) - start && line.at(-1 - tail) === other.at(-1 - tail)) tail++;
    while (tail > 0 && /\w/.test(line.at(-tail))) tail--;
    const element = make(box, 'code', line[0] === '-' ? 'minus' : line[0] === '+' ? 'plus' : '', line.slice(0, isPair ? start : undefined));
    if (isPair) make(element, 'b', '', line.slice(start, line.length - tail)), element.append(line.slice(line.length - tail));
  });
}

const link = (parent, action) => make(parent, 'button', 'link', nameOf(action), { onclick: () => select(action) });
const WHY = { change: 'optimistic change', takenBack: 'change taken back', answer: 'answer', element: 'element', error: 'error', note: '' };

function drawDetail() {
  const key = [selected, selected?.last, selected?.caused.length, selected?.last && selected.end === undefined ? view.now : 0].join();
  if (shownDetail?.key === key && shownDetail.action === selected) return;
  const detail = $('detail'), isSame = shownDetail?.action === selected && shownDetail, action = selected;
  shownDetail = { key, action };
  detail.classList.toggle('open', !!action);
  // When everything is drawn, so that the layout is computed once.
  if (!isSame) queueMicrotask(() => detail.scrollTop = 0);
  detail.replaceChildren();
  if (!action) return legend(detail);
  make(detail, 'button', '', 'Close', { id: 'close', onclick: () => select() });
  make(make(detail, 'h2'), 'b', '', action.isSource ? '' : `#${action.a}`).parentNode.append(action.value);
  const sentence = causeOf(action);
  if (sentence.length) {
    const cause = make(detail, 'p', `cause ${action.as === 'failed' ? 'bad' : action.as === 'dropped' ? 'early' : 'plain'}`);
    for (const part of sentence) part?.value ? link(cause, part) : cause.append(part ?? '');
  }
  const facts = make(detail, 'dl'), fact = (name, text) => text && (make(facts, 'dt', '', name), make(facts, 'dd', '', text));
  fact('View model', [action.model.name, action.model.type].filter(Boolean).join(': '));
  fact('Mode', action.mode);
  fact('Lane', action.lane);
  fact('At', [clock(action.t), action.ms === undefined ? '' : `${action.ms} ms`].filter(Boolean).join(', '));
  if (action.executor) make(facts, 'dt', '', 'Executed by'), link(make(facts, 'dd'), action.executor);
  else if (action.model.recorded !== undefined && !action.isSource) fact('Executed by', 'your app: a view, or a service');
  const waited = (action.start ?? action.end ?? view.now) - action.t;
  fact('Waited', waited > 0 && lengthOf(waited));
  fact(action.end === undefined ? 'Runs for' : 'Ran', ran(action) || action.end !== undefined && 'never');
  if (action.model.recorded !== undefined && !action.isSource) copyButtons(detail, action);
  if (action.caused.length) make(detail, 'h3', '', 'What it caused');
  for (const [other, how] of action.caused) link(make(make(detail, 'div', 'step'), 'span', '', how).parentNode, other);
  if (action.steps.length) make(detail, 'h3', '', 'What happened');
  for (const step of action.steps.slice(-200)) {
    const time = action.isSource ? clock(step.t) : `+${lengthOf(step.t - action.t)}`;
    const row = make(detail, 'div', 'step'), what = make(make(row, 'span', '', time).parentNode, 'div');
    const why = WHY[step.why ?? step.k] ?? (action.isSource ? 'state' : 'mapper');
    make(what, 'span', step.why === 'takenBack' ? 'early' : step.k === 'error' ? 'bad' : 'dim', why);
    if (step.diff) diff(what, step.diff);
    else if (step.value === undefined) make(what, 'div', '', step.name);
    else if (step.value.length > 120) {
      const more = make(what, 'details', '', '', { ariaLabel: step.name });
      make(more, 'summary', '', `${step.name} → ${step.value.slice(0, 60)}…`);
      make(more, 'code', '', step.value);
    } else make(what, 'div').append(`${step.name} `, make(null, 'code', '', `→ ${step.value}`));
  }
}

// MARK: Copy as test

let recorded;
/// Called by `recording.js`.
function recording(new_) { recorded = new_; }

/// The lines of everything, or from where the view models rested before `from`, and until the end of `until`.
function linesOf({ begin, starts, lines }, from, until) {
  const fields = lines.map(line => line ? JSON.parse(line) : []), own = ['action', 'own'];
  const isFrom = ([kind, , model, number]) => own.includes(kind) && model === from.model.recorded && number === from.a;
  const start = from && starts.findLast(start => start.some(index => isFrom(fields[index])));
  // Both clocks are cut to milliseconds.
  const last = until?.end === undefined ? Infinity : until.end - begin + 2;
  return (start ?? starts[0] ?? []).filter(index => fields[index][1] <= last).map(index => lines[index]);
}

/// A Swift test that plays these lines.
function testOf({ header }, lines, what) {
  const text = [header, ...lines, 'end'].map(line => `    ${line}`).join('\n');
  let raw = '#';
  while (text.includes(`\\${raw}`)) raw += '#';
  const models = lines.map(line => JSON.parse(line)).filter(([kind]) => kind === 'model').map(([, , , , , name, type]) =>
    `      <#${`${type} ${JSON.stringify(name)}`.replaceAll('#>', '')}#>,`);
  return `import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

// Copied from the inspector: ${what}.
@Test func copiedSession() throws {
  let recording = try Recording(
    ${raw}"""
${text}
    """${raw})
  try replay(recording) { run in
    // Make each of them with the function that makes it in your app, with run.recorder and on run.scheduler.
    let viewModels: [AnyObject] = [
${models.join('\n')}
    ]
    try run.play {
      // Here, say with run.expect what has to hold after each step.
    }
    withExtendedLifetime(viewModels) {}
  }
}
`;
}

function copyTest(what, from, until) {
  recorded = undefined;
  load('recording.js', async () => {
    const lines = recorded ? linesOf(recorded, from, until) : [], dialog = $('test'), text = testOf(recorded ?? {}, lines, what);
    dialog.replaceChildren();
    const say = make(dialog, 'h2', '', lines.length ? 'Select the test, and copy it' : 'Nothing is recorded yet');
    if (lines.length) {
      make(dialog, 'p', 'dim', 'Fill in what stands between <# and #>: how your app makes each view model.');
      make(dialog, 'textarea', '', text, { readOnly: true, ariaLabel: 'The test' }).select();
    }
    make(dialog, 'button', '', 'Close', { onclick: () => dialog.close() });
    dialog.showModal();
    // A browser may refuse. Then the text is selected.
    if (lines.length) await navigator.clipboard?.writeText(text).then(() => say.textContent = 'Copied', () => {});
    dialog.querySelector('textarea')?.select();
  });
}

function copyButtons(parent, action) {
  make(parent, 'h3', '', 'Copy as test');
  const group = make(parent, 'div', 'copies', '', { role: 'group', ariaLabel: 'Copy as test' }), name = `${action.model.name} #${action.a}`;
  const button = (text, ...range) => make(group, 'button', '', text, { onclick: () => copyTest(`${text.toLowerCase()}, ${name}`, ...range) });
  button('From here', action);
  button('Until here', undefined, action);
  button('Only this', action, action);
}

function legend(parent) {
  make(parent, 'h2', '', 'Nothing selected');
  make(parent, 'p', 'dim', 'Select an action to see why it ended and what it changed.');
  const table = make(make(parent, 'h3', '', 'How to read').parentNode, 'div', 'legend m0');
  const line = (text, draw) => (draw(svg(table, 'svg', { 'aria-hidden': true })), make(table, 'span', '', text));
  const bar = (parent, x, width, className = 'bar') => svg(parent, 'rect', { class: className, x, y: 5, width, height: 10, rx: 1.5 });
  const change = parent => svg(parent, 'rect', { class: 'state', x: 25, y: 15, width: 1.5, height: 4 });
  line('waits for a debounce, a lane or a limit', at => bar(svg(at, 'g', { mask: 'url(#hatched)' }), 4, 46, 'wait'));
  line('runs and completes', at => (bar(at, 4, 44), path(at, 'cap', 'M48 3v14')));
  line('a state change', at => (bar(at, 4, 44), change(at)));
  line('a response, if the app uses a recorder', at => (bar(at, 4, 44), path(at, 'tick', 'M22 0h6.4l-3.2 4.4z')));
  line('cancelled', at => (bar(at, 4, 30, 'bar faded'), path(at, 'cap early', 'M34 3v14')));
  line('dropped without starting', at => (svg(at, 'circle', { class: 'no', cx: 12, cy: 10, r: 4.5 }), path(at, 'no', 'M9 13l6 -6')));
  line('failed', at => (bar(at, 4, 30), path(at, 'cross', 'M37 6.5l7 7m0 -7l-7 7')));
  line('changes without a running action', at => (path(at, 'thread', 'M4 10H52'), change(at)));
  line('points to the cause', at => path(at, 'arrow dropped on', 'M8 10H44').setAttribute('marker-end', 'url(#head-of-arrow)'));
  line('skipped time, in which nothing happens', at => path(at, 'fold', 'M28 0V20'));
  if (head.failing !== undefined) line('the step at which the test failed', at => path(at, 'failing', 'M28 0V20'));
}

const KEYS = [['↑ ↓', 'previous, next action'], ['Home End', 'first, newest'], ['←', 'go to its cause'], ['→', 'go to what it caused'],
  ['Enter', 'go to its details'], ['Esc', 'back to the list, then deselect'],
  ['/', 'filter by action or by what it changed'], ['p', 'only dropped, cancelled, failed'], ['f', 'follow'], ['c', 'copy everything as a test'], ['+ − 0', 'zoom in, out, fit']];

// MARK: Use

function select(action, isKept) {
  selected = action;
  // A link may lead to what the filters hide.
  if (action?.row < 0) [$('filter').value, onlyEarly, $('early').ariaPressed, action.model.isOff] = ['', false, false, false], refit();
  if (action?.row >= 0 && !isKept) {
    const top = action.row * ROW, height = freeHeight();
    if (top < list.scrollTop + ROW) list.scrollTop = top - ROW * 2;
    if (top > list.scrollTop + height - ROW * 2) list.scrollTop = top - height + ROW * 3;
  }
  if (action && action.row < rows.length - 1 && action.row >= 0) follow(false);
  later();
}

function follow(isOn) {
  following = isOn;
  $('follow').ariaPressed = isOn;
  if (isOn) update();
}

const refit = () => { view.scale = 0; update(); };
const press = (id, action) => $(id).onclick = action;
press('follow', () => follow(!following));
press('early', () => { $('early').ariaPressed = onlyEarly = !onlyEarly; refit(); });
press('in', () => { zoom = view.scale * 1.5; later(); });
press('out', () => { zoom = view.scale / 1.5; later(); });
press('fit', () => { zoom = undefined; refit(); });
press('help', () => $('keys').showModal());
press('copy', () => copyTest(`everything, ${clock(head.now)}`));
$('filter').oninput = refit;
$('keys').onclick = () => $('keys').close();
make($('keys'), 'h2', '', 'Keys');
const keys = make($('keys'), 'dl');
for (const [names, text] of KEYS) {
  const term = make(keys, 'dt');
  for (const name of names.split(' ')) make(term, 'kbd', '', name);
  make(keys, 'dd', '', text);
}

list.onscroll = () => {
  if (following && list.scrollTop < lastTop - 2 && list.scrollTop + list.clientHeight < list.scrollHeight - ROW) follow(false);
  lastTop = list.scrollTop;
  later();
};
const rowOf = event => rows[event.target.closest('.row')?.index];
list.onclick = event => { const action = rowOf(event); if (action) select(action, innerWidth > 900); };
list.onmouseover = event => { hovered = rowOf(event); later(); };
list.onmouseleave = () => { hovered = undefined; later(); };
$('bands').onclick = event => {
  const { left, top } = $('bands').getBoundingClientRect(), model = models[Math.floor((event.clientY - top - AXIS) / BAND)];
  const state = model?.states.findLast(state => view.at(state.t) <= event.clientX - left + 3);
  if (state) select(byKey.get(`${state.m}:${state.a}`));
};

const move = by => select(rows[Math.min(Math.max((selected?.row >= 0 ? selected.row : by > 0 ? -1 : rows.length) + by, 0), rows.length - 1)]);
const COMMANDS = { ArrowUp: () => move(-1), ArrowDown: () => move(1), PageUp: () => move(-20), PageDown: () => move(20), Home: () => select(rows[0]),
  End: () => (select(rows.at(-1)), follow(true)), ArrowLeft: () => select(LINKS.map(link => selected?.[link]).find(Boolean) ?? selected),
  ArrowRight: () => select(selected?.caused[0]?.[0] ?? selected),
  Enter: () => selected && $('detail').focus(), '/': () => $('filter').select(), f: () => follow(!following),
  c: () => $('copy').hidden || $('copy').click(), p: () => $('early').click(),
  '+': () => $('in').click(), '-': () => $('out').click(), 0: () => $('fit').click(), '?': () => $('keys').showModal() };

onkeydown = event => {
  const { activeElement: focus } = document, isTyping = focus === $('filter');
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
  if (event.key === 'Escape') return isTyping || focus !== list ? list.focus() : select();
  if (isTyping ? !['ArrowDown', 'Enter'].includes(event.key) : event.key.length > 1 && focus !== list && focus !== document.body) return;
  if (isTyping) list.focus();
  const command = COMMANDS[event.key];
  if (!command) return;
  event.preventDefault();
  command();
};
onresize = () => models && update();

// MARK: The files. A script, because a page that is a file may load nothing else.

function load(name, done) {
  const script = make(null, 'script', '', '', { src: `${name}?${Date.now()}`, nonce });
  script.onload = script.onerror = () => { script.remove(); done(); };
  document.head.append(script);
}

const asked = new Map();
function poll() {
  load('session.js', () => {
    const missing = head.id ? takeParts() ?? head.first : head.first, files = [];
    for (let first = missing - missing % head.chunk; first < head.first; first += head.chunk) files.push(first);
    const new_ = files.filter(first => asked.get(first) !== head.id);
    let rest = new_.length;
    for (const first of new_) asked.set(first, head.id), load(`${head.id}-${first}.js`, () => --rest || takeParts());
    const quiet = (performance.now() - changed) / 1000, isNow = quiet < 2;
    $('live').className = isNow ? 'now' : '';
    $('live').textContent = !models ? '' : isNow ? 'live' : `quiet for ${lengthOf(Math.floor(quiet) * 1000)}`;
    setTimeout(poll, document.hidden ? 2000 : 250);
  });
}
/// Shows a session that is a part of the page.
function showWhole() {
  following = false;
  takeParts();
  $('follow').hidden = $('live').hidden = true;
  $('none').textContent = 'Nothing has happened.';
  $('failure').textContent = head.failure ?? '';
  const last = entries.findLast(entry => entry.a && entry.t <= head.failing);
  select(last && byKey.get(`${last.m}:${last.a}`));
}
addEventListener('DOMContentLoaded', () => head.id ? showWhole() : poll());
list.focus();
