/** Filters, sorts and zooms. Without it, the page is complete: links open groups and pictures, and everything can be read. */
export const PAGE_SCRIPT = `
'use strict';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const made = (name, properties) => Object.assign(document.createElement(name), properties);

// Not every browser opens what holds the target of a link.
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.localName === 'details') at.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
addEventListener('click', ({ target }) => {
  const link = target.closest('a');
  if (link && link.hash === location.hash) reveal();
});

const form = document.forms[0];
const lists = all('.list');
const rows = new Map();
let before;
const filter = () => {
  const words = form.words.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  const onlyChanges = form.changes ? form.changes.checked : false;
  const isOn = words.length > 0 || onlyChanges;
  if (isOn && !before) before = new Map(lists.map((list) => [list, list.open]));
  let found = 0;
  for (const list of lists) {
    if (!rows.has(list)) {
      rows.set(list, all('tbody tr', list).map((row) => [row, [list.dataset.words, row.dataset.words, row.textContent].join(' ').toLowerCase()]));
    }
    let shown = 0;
    for (const [row, text] of rows.get(list)) {
      row.hidden = (onlyChanges && row.dataset.change === 'unchanged') || !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    const total = rows.get(list).length;
    const count = list.querySelector('.count');
    count.dataset.all = count.dataset.all || count.textContent;
    count.textContent = isOn ? shown + ' of ' + count.dataset.all : count.dataset.all;
    if (!list.classList.contains('group')) continue;
    found += shown;
    list.hidden = isOn && shown === 0;
    if (isOn) list.open = shown > 0;
    else if (before) list.open = before.get(list);
  }
  if (!isOn) before = undefined;
  form.found.value = isOn ? (found === 1 ? '1 cluster' : found + ' clusters') + ' found' : '';
};
if (form) {
  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  filter();
}

const order = new Intl.Collator('en', { numeric: true }).compare;
for (const head of all('.list thead th')) {
  const button = made('button', { type: 'button', textContent: head.textContent });
  head.replaceChildren(button);
  button.addEventListener('click', () => {
    const isUp = head.getAttribute('aria-sort') !== 'ascending';
    for (const other of head.parentElement.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
    const body = head.closest('table').tBodies[0];
    const text = (row) => row.children[head.cellIndex].textContent;
    body.append(...[...body.rows].sort((one, other) => order(text(one), text(other)) * (isUp ? 1 : -1)));
  });
}

const zoomable = (picture) => {
  if (!picture.open || picture.querySelector('.zoom')) return;
  const svg = picture.querySelector('svg');
  const width = svg.width.baseVal.value;
  const shown = made('output', { value: '100 %' });
  let scale = 1;
  const zoom = (to) => {
    scale = Math.min(4, Math.max(0.1, to));
    svg.style.width = width * scale + 'px';
    shown.value = Math.round(scale * 100) + ' %';
  };
  const button = (textContent, ariaLabel, to) => {
    const one = made('button', { type: 'button', textContent, ariaLabel });
    one.addEventListener('click', () => zoom(to()));
    return one;
  };
  const bar = made('div', { className: 'zoom' });
  bar.append(
    button('\u2212', 'Zoom out', () => scale / 1.25), button('+', 'Zoom in', () => scale * 1.25), button('100 %', 'Natural size', () => 1),
    button('Fit', 'Fit to the width of the page', () => svg.parentElement.clientWidth / width), shown,
  );
  svg.parentElement.before(bar);
};
addEventListener('toggle', ({ target }) => { if (target.matches('.picture')) zoomable(target); }, true);
all('.picture[open]').forEach(zoomable);
reveal();
`;
