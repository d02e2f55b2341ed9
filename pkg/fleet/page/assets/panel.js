// The panel: what a cluster has, what an object says. What is open stands in the fragment of the address.
const panel = document.getElementById('panel');
const mostShown = 300;

const idOf = (o) => [o.kind, o.namespace, o.name, o.group, o.itself ? 'work' : ''].map(encodeURIComponent).join('/');
const linkTo = (cluster, object) => `#/${cluster ? `cluster/${encodeURIComponent(cluster.name)}` : 'object'}${object ? `/${idOf(object)}` : ''}`;

const openCluster = (cluster) => { location.hash = linkTo(cluster); };

// bounded lists things, the first ones, with a button for more.
function bounded(all, make) {
  const list = element('ul');
  let shown = 0;
  const more = () => {
    list.append(...all.slice(shown, shown + mostShown).map((x) => element('li', {}, make(x))));
    shown += mostShown;
    if (shown >= all.length) return;
    const button = element('button', {type: 'button', class: 'more'}, `${all.length - shown} more`);
    const item = element('li', {}, button);
    button.addEventListener('click', () => { item.remove(); more(); list.children[shown - mostShown]?.querySelector('a')?.focus(); });
    list.append(item);
  };
  more();
  return list;
}

const link = (text, to) => element('a', {href: to}, text);

function happened(group, shape) {
  const n = shape.fields.length;
  if (group.change === 'moved') return 'comes in another work';
  return group.change === 'changed' ? `${plural(n, 'field')} ${n === 1 ? 'changes' : 'change'}` : group.change;
}

// fieldText is what happens to a field.
function fieldText([name, change, from, to]) {
  if (name === '') return ['written in another order, or annotations of tools differ'];
  const value = (kind, text) => element(kind, {}, text);
  if (from === null && to === null) return [`${name} ${change}`];
  if (from === null) return [`${name}: `, value('ins', to)];
  if (to === null) return [`${name}: `, value('del', from)];
  return from === to ? [`${name}: changed ${to}`] : [`${name}: `, value('del', from), ' → ', value('ins', to)];
}

function changeElement([g, s], cluster, named) {
  const group = data.changes.groups[g], shape = group.shapes[s], object = objects[group.object];
  const marks = shape.level ? [' ', element('span', {class: `mark ${shape.level}`}, `${shape.level}: ${shape.risks.join(', ')}`)] : [];
  const head = named ? [link(title(object), linkTo(cluster, object)), ': '] : [];
  const e = element('div', {class: 'change'}, ...head, happened(group, shape), ...marks);
  if (shape.fields.length > 0) e.append(element('ul', {}, ...shape.fields.map((f) => element('li', {}, ...fieldText(f)))));
  return e;
}

function heading(text) {
  const close = element('button', {type: 'button', id: 'close', 'aria-label': 'Close'}, '×');
  close.addEventListener('click', closePanel);
  return element('div', {class: 'title'}, element('h2', {id: 'panel-title', tabindex: -1}, text), close);
}

function clusterView(cluster) {
  const own = changesOf[cluster.index];
  const total = cluster.counts.reduce((n, m) => n + m, 0);
  const parts = [heading(cluster.name), element('p', {class: 'labels'}, cluster.labels.join('  ') || 'no labels known'), element('p', {}, `Receives ${plural(total, 'object')}.`)];
  if (own.length > 0) parts.push(element('h3', {}, plural(own.length, 'change')), bounded(own, (c) => changeElement(c, cluster, true)));
  for (const load of cluster.loads) {
    parts.push(element('h3', {}, policyName(load.policy)), element('p', {class: 'where'}, [load.work, path(load, cluster)].filter(Boolean).join(' in ')));
    parts.push(bounded(load.list, (o) => link(title(objects[o]), linkTo(cluster, objects[o]))));
  }
  return parts;
}

// textView is what an object says in a cluster or, without one, where it is the commonest.
function textView(object, text) {
  const yaml = yamlOf(object, text);
  if (yaml === null || yaml === undefined) return element('p', {class: 'left-out'}, 'What it says is not in this page, which would be too large.');
  return element('pre', {tabindex: 0, 'aria-label': 'YAML'}, yaml);
}

function objectView(object, cluster) {
  const index = objects.indexOf(object), parts = [heading(title(object))];
  if (cluster) {
    parts.push(element('p', {}, 'In ', link(cluster.name, linkTo(cluster)), '.'));
    const own = changesOf[cluster.index].filter(([g]) => data.changes.groups[g].object === index);
    parts.push(...own.map((c) => changeElement(c, cluster, false)));
    for (const load of cluster.loads) {
      load.list.forEach((o, place) => {
        if (o !== index) return;
        parts.push(element('p', {class: 'where'}, `${policyName(load.policy)}: ${path(load, cluster)}`), textView(object, textIn(load, place)));
      });
    }
  }
  return [...parts, ...everywhere(object, index, cluster)];
}

// everywhere lists the different texts of an object, and who has which.
function everywhere(object, index, cluster) {
  const places = whereAre(index);
  const total = new Set(places.flatMap(([, on]) => on)).size;
  const parts = [element('h3', {}, total === 0 ? 'On no cluster any more' : `On ${plural(total, 'cluster')}${places.length > 1 ? `, in ${places.length} forms` : ''}`)];
  if (!cluster && places.length > 0) parts.push(textView(object, places[0][0]));
  parts.push(bounded(places, ([, on]) => {
    const some = on.slice(0, 20).flatMap((c) => [link(clusters[c].name, linkTo(clusters[c], object)), ' ']);
    return element('div', {}, `${plural(on.length, 'cluster')}: `, ...some, on.length > 20 ? `and ${on.length - 20} more` : '');
  }));
  return parts;
}

function closePanel() {
  history.pushState(null, '', '#/');
  route();
  activeCell()?.focus();
}

// route shows what the fragment names; what is not there is nothing.
function route() {
  const [kind, ...words] = location.hash.slice(2).split('/').map(decode);
  const cluster = kind === 'cluster' ? clusters.find((c) => c.name === words[0]) : undefined;
  const object = objectOf(kind === 'cluster' ? words.slice(1) : words);
  const view = object && (cluster || kind === 'object') ? objectView(object, cluster) : cluster ? clusterView(cluster) : [];
  panel.hidden = view.length === 0;
  panel.replaceChildren(...view);
  panel.scrollTop = 0;
  draw();
  document.getElementById('panel-title')?.focus();
}

// objectOf finds what idOf names.
function objectOf([kind, namespace, name, group, work]) {
  return objects.find((o) => o.kind === kind && o.name === name && o.namespace === namespace && o.group === group && o.itself === (work === 'work'));
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return ''; }
}
