// The matrix: an ARIA grid of which only the rows and columns in sight are in the document, and the active cell always is.
const rowHeight = 28, cellWidth = 116, spare = 6;
const gridElement = document.getElementById('grid');
const canvas = document.getElementById('canvas');
const fixedColumns = [...(compared ? [{changes: true, name: 'Changes'}] : []), ...data.policies.map((_, policy) => ({policy, name: policyName(policy)}))];
let columns = fixedColumns;

// groupBy has the rows in the order of a label, which gets a column; '' for none.
let groupKey = '';
function groupBy(key) {
  groupKey = key;
  columns = key === '' ? fixedColumns : [{group: true, name: key}, ...fixedColumns];
}

const inGroups = (rows) => (groupKey === '' ? rows : [...rows].sort((a, b) => {
  const [x, y] = [labelOf(clusters[a], groupKey), labelOf(clusters[b], groupKey)];
  return x < y ? -1 : x > y ? 1 : a - b;
}));

const hereLine = document.getElementById('here');

// The active row may be -1, which is the header.
const grid = {rows: [], row: 0, column: 0};

// nameWidth is what names get: where the window is narrow, less than half of it.
let nameWidth = 240;
function measure() {
  nameWidth = Math.max(90, Math.min(240, Math.floor(gridElement.clientWidth * 0.38)));
  gridElement.style.setProperty('--name', `${nameWidth}px`);
}


// heat is one of five shades: none for no objects, and from the fewest to the most that a cluster has in the column.
const heat = (n, {fewest, most}) => (n === 0 ? 0 : n === fewest ? 1 : 1 + Math.ceil((3 * (n - fewest)) / (most - fewest)));

// risky names a number of changes and their risk.
const risky = (changes) => `${plural(changes.length, 'change')}${levelOf(changes) ? `, ${levelOf(changes)} risk` : ''}`;

// cellText is what a cell shows, a badge for changes, its shade, and what is read out.
function cellText(cluster, column) {
  if (column.group) return {text: labelOf(cluster, column.name), shade: 'group', says: `${column.name}: ${labelOf(cluster, column.name) || 'no such label'}`};
  if (column.changes) {
    const own = changesOf[cluster.index], level = levelOf(own);
    return {text: own.length === 0 ? '' : `${own.length}${level ? ` ${level}` : ''}`, shade: `changes ${level}`, says: own.length === 0 ? 'no changes' : risky(own)};
  }
  const n = cluster.counts[column.policy], own = compared ? changesBy(cluster, column.policy) : [];
  return {
    text: n === 0 ? '' : String(n), badge: own.length === 0 ? '' : `±${own.length}`, level: levelOf(own),
    shade: `heat${heat(n, rangeOf[column.policy])}`, says: `${column.name}: ${plural(n, 'object')}${own.length === 0 ? '' : `, ${risky(own)}`}`,
  };
}

// headText is the same of a column's header.
function headText(column) {
  if (column < 0) return {text: 'Cluster', says: 'Cluster'};
  const {name, policy} = columns[column];
  return {text: policy === undefined ? name : fitting(name, policyDiffers[policy], cellWidth, 600), says: name};
}

// fullText is all that an active cell says, however little of it there is room for.
function fullText(row, column) {
  if (row < 0) return headText(column).says;
  const cluster = clusters[grid.rows[row]];
  return column < 0 ? [cluster.name, ...cluster.labels].join('  ') : `${cluster.name}, ${cellText(cluster, columns[column]).says}`;
}

function place(e, left) {
  e.style.left = `${left}px`;
  return e;
}

// cell makes one cell; column -1 is the name. Row -1 is the header.
function cell(row, column) {
  const role = row < 0 ? 'columnheader' : column < 0 ? 'rowheader' : 'gridcell';
  const e = element('div', {role, 'aria-colindex': column + 2, tabindex: row === grid.row && column === grid.column ? 0 : -1, class: column < 0 ? 'name' : 'cell'});
  e.dataset.row = row;
  e.dataset.column = column;
  if (row < 0) {
    const {text, says} = headText(column);
    e.dir = 'auto';
    e.textContent = text;
    e.title = says;
    if (says !== text) e.setAttribute('aria-label', says);
  } else {
    fill(e, clusters[grid.rows[row]], column);
  }
  return column < 0 ? e : place(e, nameWidth + column * cellWidth);
}

function fill(e, cluster, column) {
  if (column < 0) {
    e.dir = 'auto';
    e.textContent = fitting(cluster.name, clusterDiffers[cluster.index], nameWidth, 400);
    e.title = [cluster.name, ...cluster.labels].join('\n');
    if (e.textContent !== cluster.name) e.setAttribute('aria-label', cluster.name);
    return;
  }
  const {text, badge, level, shade, says} = cellText(cluster, columns[column]);
  e.textContent = text;
  if (badge) e.prepend(element('span', {class: `badge ${level}`}, badge), ' ');
  e.className += ` ${shade}`;
  e.setAttribute('aria-label', `${cluster.name}, ${says}`);
}

// inSight is the first and the last of count things of a size that can be seen, and some around them.
function inSight(scrolled, seen, size, count) {
  return [Math.max(0, Math.floor(scrolled / size) - spare), Math.min(count - 1, Math.ceil((scrolled + seen) / size) + spare)];
}

const span = ([first, last], also) => {
  const out = [];
  for (let i = first; i <= last; i++) out.push(i);
  return also < 0 || (also >= first && also <= last) ? out : [...out, also];
};

function rowElement(row, shown) {
  const e = element('div', {role: 'row', 'aria-rowindex': row + 2, class: row < 0 ? 'row head' : 'row'});
  if (row >= 0) e.style.top = `${(row + 1) * rowHeight}px`;
  e.append(cell(row, -1), ...shown.map((column) => cell(row, column)));
  return e;
}

// draw puts into the document what is in sight, and gives the focus back to the cell that had it.
function draw() {
  const focused = canvas.contains(document.activeElement);
  measure();
  const wide = columns.length, rows = inSight(gridElement.scrollTop, gridElement.clientHeight, rowHeight, grid.rows.length);
  const shown = span(inSight(gridElement.scrollLeft, gridElement.clientWidth, cellWidth, wide), grid.column);
  const active = grid.row < grid.rows.length ? grid.row : -1;
  gridElement.style.height = `min(70vh, ${(grid.rows.length + 1) * rowHeight + 20}px)`;
  canvas.style.height = `${(grid.rows.length + 1) * rowHeight}px`;
  canvas.style.width = `${nameWidth + wide * cellWidth}px`;
  gridElement.setAttribute('aria-rowcount', grid.rows.length + 1);
  gridElement.setAttribute('aria-colcount', wide + 1);
  canvas.replaceChildren(rowElement(-1, shown), ...span(rows, active).map((row) => rowElement(row, shown)));
  if (focused) activeCell()?.focus({preventScroll: true});
}

const cellAt = (row, column) => canvas.querySelector(`[data-row="${row}"][data-column="${column}"]`);
const activeCell = () => cellAt(grid.row, grid.column);

// reveal scrolls so that the active cell can be seen beside the header and the names.
function reveal() {
  const top = Math.max(0, grid.row) * rowHeight, left = Math.max(0, grid.column) * cellWidth;
  const high = gridElement.clientHeight - 2 * rowHeight, wide = gridElement.clientWidth - nameWidth - cellWidth;
  gridElement.scrollTop = Math.max(Math.min(gridElement.scrollTop, top), top - high);
  gridElement.scrollLeft = Math.max(Math.min(gridElement.scrollLeft, left), left - wide);
}

// showColumn has the column of a policy in sight.
function showColumn(policy) {
  grid.column = columns.findIndex((c) => c.policy === policy);
  reveal();
}

function activate(row, column) {
  grid.row = Math.max(-1, Math.min(row, grid.rows.length - 1));
  grid.column = Math.max(-1, Math.min(column, columns.length - 1));
  reveal();
  draw();
  activeCell()?.focus({preventScroll: true});
  hereLine.textContent = fullText(grid.row, grid.column);
}

function showRows(rows) {
  hereLine.textContent = '';
  Object.assign(grid, {rows: inGroups(rows), row: rows.length > 0 ? 0 : -1, column: Math.min(grid.column, columns.length - 1)});
  gridElement.scrollTop = 0;
  draw();
}

// moves are where a key leads.
const moves = {
  ArrowDown: () => [grid.row + 1, grid.column], ArrowUp: () => [grid.row - 1, grid.column],
  ArrowRight: () => [grid.row, grid.column + 1], ArrowLeft: () => [grid.row, grid.column - 1],
  PageDown: () => [grid.row + page(), grid.column], PageUp: () => [Math.max(Math.min(0, grid.row), grid.row - page()), grid.column],
  Home: (e) => [e.ctrlKey ? 0 : grid.row, -1], End: (e) => [e.ctrlKey ? grid.rows.length - 1 : grid.row, columns.length - 1],
};
const page = () => Math.max(1, Math.floor(gridElement.clientHeight / rowHeight) - 2);

function gridKey(e) {
  if (moves[e.key] && !e.altKey && !e.metaKey) {
    e.preventDefault();
    activate(...moves[e.key](e));
  } else if (e.key === 'Enter' || e.key === ' ') {
    e.preventDefault();
    openActive();
  }
}

// openActive opens the cluster of the active cell, at what its column is about, or what the column is about everywhere.
function openActive() {
  const column = columns[grid.column];
  if (grid.row >= 0) openCluster(clusters[grid.rows[grid.row]], column);
  else if (column && !column.group) openAt(column.changes ? '#/changes' : linkToPolicy(column.policy));
}

function gridClick(e) {
  const at = e.target.closest('[data-row]');
  if (!at) return;
  activate(Number(at.dataset.row), Number(at.dataset.column));
  openActive();
}
