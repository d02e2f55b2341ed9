// The panel: what a cluster has, what an object says. What is open stands in the fragment of the address.
const panel = document.getElementById('panel');
const mostShown = 300;

const idOf = (o) => [o.kind, o.namespace, o.name, o.group, o.itself ? 'work' : ''].map(encodeURIComponent).join('/');
const linkTo = (cluster, object) => `#/${cluster ? `cluster/${encodeURIComponent(cluster.name)}` : 'object'}${object ? `/${idOf(object)}` : ''}`;

const linkToPolicy = (policy) => `#/policy/${encodeURIComponent(data.policies[policy])}`;

// wanted is what is to be shown first in what is opened next: a column, if any.
let wanted = null;

// openAt opens what an address names, also if it is open already.
function openAt(address) {
  if (location.hash !== address) history.pushState(null, '', address);
  route();
}

function openCluster(cluster, column) {
  wanted = column ?? null;
  openAt(linkTo(cluster));
}

// bounded lists things, the first ones, with a button for more.
function bounded(all, make, most = mostShown) {
  const list = element('ul');
  let shown = 0;
  const more = () => {
    list.append(...all.slice(shown, shown + most).map((x) => element('li', {}, make(x))));
    shown += most;
    if (shown >= all.length) return;
    const button = element('button', {type: 'button', class: 'more'}, `${all.length - shown} more`);
    const item = element('li', {}, button);
    button.addEventListener('click', () => { item.remove(); more(); list.children[shown - most]?.querySelector('a')?.focus(); });
    list.append(item);
  };
  more();
  return list;
}

const link = (text, to) => element('a', {href: to, dir: 'auto'}, text);

// happened says what happens to an object in some ways of its group.
function happened(group, ways) {
  const counts = ways.map((way) => way.fields.length), fewest = Math.min(...counts), most = Math.max(...counts);
  if (group.change === 'moved') return 'moves to another work';
  if (group.change !== 'changed') return group.change;
  return fewest < most ? `${fewest} to ${most} fields change` : `${plural(most, 'field')} ${most === 1 ? 'changes' : 'change'}`;
}

// fieldText is what happens to a field.
function fieldText([name, change, from, to]) {
  if (name === '') return ['written in another order, or annotations of tools differ'];
  const value = (kind, text) => element(kind, {dir: 'auto'}, text);
  if (from === null && to === null) return [named(name), ` ${change}`];
  if (from === null) return [named(name), ': ', value('ins', to)];
  if (to === null) return [named(name), ': ', value('del', from)];
  return from === to ? [named(name), `: changed ${to}`] : [named(name), ': ', value('del', from), ' → ', value('ins', to)];
}

// filled is a way to change as it is in one row.
function filled(way, row, cluster) {
  const value = (template) => (template === null ? null : fillIn(template, row, cluster.name));
  return {...way, says: value(way.says ?? ''), fields: way.fields.map(([name, change, from, to]) => [value(name), change, value(from), value(to)])};
}

const ownChange = ({group, way, row}, cluster, withName) => changeElement(group, filled(way, row, cluster), way, cluster, withName);

// changeElement is a way in which the object of a group changes; of all its fields it lists those of shown.
function changeElement(group, shown, way, cluster, withName) {
  const object = objects[group.object];
  const head = withName ? [link(title(object), linkTo(cluster, object)), ': '] : [];
  const e = element('div', {class: 'change'}, ...head, happened(group, [way]), ...marks(way.level, way.risks));
  if (shown.says) e.append(element('p', {dir: 'auto'}, shown.says));
  if (shown.fields.length > 0) e.append(fieldList(shown.fields));
  return e;
}

// marks name a level and its risks.
const marks = (level, risks) => (level ? [' ', element('span', {class: `mark ${level}`}, `${level}: ${risks.join(', ')}`)] : []);

function heading(text) {
  const close = element('button', {type: 'button', id: 'close', 'aria-label': 'Close'}, element('span', {'aria-hidden': 'true'}, '×'));
  close.addEventListener('click', closePanel);
  return element('div', {class: 'title'}, element('h2', {id: 'panel-title', tabindex: -1, dir: 'auto'}, text), close);
}

function closePanel() {
  history.pushState(null, '', '#/');
  route();
  activeCell()?.focus();
}

// viewOf is what an address names; what is not there is nothing.
function viewOf([kind, ...words]) {
  if (kind === 'changes' && compared) return changesView();
  if (kind === 'policy') {
    const policy = data.policies.indexOf(words[0] ?? '');
    if (policy >= 0) showColumn(policy);
    return policy < 0 ? [] : policyView(policy);
  }
  const cluster = kind === 'cluster' ? clusters.find((c) => c.name === words[0]) : undefined;
  const object = objectOf(kind === 'cluster' ? words.slice(1) : words);
  if (object && (cluster || kind === 'object')) return objectView(object, cluster);
  return cluster ? clusterView(cluster) : [];
}

// route shows what the fragment names, and leads to what is wanted of it.
function route() {
  const view = viewOf(location.hash.slice(2).split('/').map(decode));
  const narrows = panel.hidden && view.length > 0;
  panel.hidden = view.length === 0;
  panel.replaceChildren(...view);
  if (narrows) reveal(); // the matrix has less room now
  draw();
  const title = document.getElementById('panel-title');
  const part = wanted && !wanted.group && panel.querySelector(wanted.changes ? '[data-changes]' : `[data-policy="${wanted.policy}"]`);
  wanted = null;
  panel.scrollTop = part ? part.offsetTop - title.parentElement.offsetHeight : 0;
  (part || title)?.focus();
  if (view.length > 0 && innerWidth < 640) panel.scrollIntoView();
}

// objectOf finds what idOf names.
function objectOf([kind, namespace, name, group, work]) {
  return objects.find((o) => o.kind === kind && o.name === name && o.namespace === namespace && o.group === group && o.itself === (work === 'work'));
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return ''; }
}
