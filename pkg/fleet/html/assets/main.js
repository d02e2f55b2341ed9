// Begin: search, keys, light and dark.
const search = document.getElementById('search');
const foundList = document.getElementById('found');
const statusLine = document.getElementById('status');
const mostFound = 50;

function showFound(found) {
  const policies = found.policies.map((p) => link(`policy ${policyName(p)}`, linkToPolicy(p)));
  const links = [...policies.slice(0, mostFound), ...found.objects.slice(0, mostFound).map((o) => link(title(objects[o]), linkTo(null, objects[o])))];
  const more = found.policies.length + found.objects.length - links.length;
  foundList.replaceChildren(...links.map((l) => element('li', {}, l)), ...(more > 0 ? [element('li', {}, `and ${more} more`)] : []));
  foundList.hidden = links.length === 0;
  statusLine.textContent = `${counted(found)}${found.by ? `; ${namedSo(found)} by that name` : ''}.`;
}

// counted is how many clusters are shown, of how many, and why.
function counted(found) {
  const total = changedOnly() ? plural(changedClusters, 'changed cluster') : plural(clusters.length, 'cluster');
  const what = {'': '', cluster: ' match', object: ' have an object that matches', policy: ' have something of a policy that matches'}[found.by];
  return `${found.rows.length} of ${total}${what}`;
}

const namedSo = ({objects: some, policies}) => plural(some.length, 'object') + (policies.length > 0 ? ` and ${policies.length === 1 ? '1 policy' : `${policies.length} policies`}` : '');

const changedBox = document.getElementById('changed');
const changedOnly = () => changedBox !== null && changedBox.checked;
const changedClusters = changesOf.filter((own) => own.length > 0).length;

function query() {
  const found = find(search.value);
  if (changedOnly()) found.rows = found.rows.filter((row) => changesOf[row].length > 0);
  showFound(found);
  showRows(found.rows);
}

changedBox?.addEventListener('change', query);

const groupSelect = document.getElementById('group');
groupSelect.append(...groupKeys.map((key) => element('option', {value: key}, key)));
document.getElementById('grouping').hidden = groupKeys.length === 0;
groupSelect.addEventListener('change', () => { groupBy(groupSelect.value); query(); });

// In a large fleet searching waits until typing rests, so that it keeps up.
let waiting = 0;
search.addEventListener('input', () => {
  clearTimeout(waiting);
  if (clusters.length + objects.length > 5000) waiting = setTimeout(query, 120);
  else query();
});

search.addEventListener('keydown', (e) => {
  if (e.key === 'ArrowDown' || e.key === 'Enter') {
    e.preventDefault();
    clearTimeout(waiting);
    query();
    if (grid.rows.length > 0) activate(0, -1);
  }
});

document.addEventListener('keydown', (e) => {
  if (e.key === '/' && document.activeElement !== search) {
    e.preventDefault();
    search.select();
    search.focus();
  } else if (e.key === 'Escape' && !panel.hidden && document.activeElement !== search) {
    closePanel();
  } else if (e.key === 'Escape' && search.value !== '') {
    search.value = '';
    query();
  }
});

const themes = ['', 'dark', 'light'];
const theme = document.getElementById('theme');
theme.addEventListener('click', () => {
  const root = document.documentElement;
  root.dataset.theme = themes[(themes.indexOf(root.dataset.theme ?? '') + 1) % themes.length];
  theme.textContent = `Theme: ${root.dataset.theme || 'as the system'}`;
});

gridElement.addEventListener('keydown', gridKey);
gridElement.addEventListener('click', gridClick);
let drawing = 0;
gridElement.addEventListener('scroll', () => {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
});
addEventListener('resize', draw);
linkSummary();
addEventListener('hashchange', route);
document.documentElement.classList.add('scripted');
query();
route();
// For whoever measures: when the page could be used.
document.documentElement.dataset.ready = Math.round(performance.now());
