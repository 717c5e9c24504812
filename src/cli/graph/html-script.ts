/** The style of the page around the pictures. Tables scroll in frames, so that their headers stay in sight and the page is as wide as its window. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark; --ground: #ffffff; --raised: #f6f8fa; --edge: #d0d7de; --text: #1f2328; --faint: #57606a; --link: #0969da;
  --created: #1a7f37; --changed: #7d4e00; --replaced: #cf222e; --deleted: #82071e; --unknown: #8250df;
}
@media (prefers-color-scheme: dark) {
:root {
  --ground: #0d1117; --raised: #161b22; --edge: #30363d; --text: #f0f3f6; --faint: #9da7b1; --link: #58a6ff;
  --created: #3fb950; --changed: #d29922; --replaced: #ff7b72; --deleted: #ffa198; --unknown: #bc8cff;
}
}
* { box-sizing: border-box; }
body { max-width: 1600px; margin: 0 auto; padding: 24px; background: var(--ground); color: var(--text); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 4px; font-size: 22px; }
h2 { display: inline; margin: 0; font-size: 15px; }
p { margin: 0 0 12px; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.wide { max-width: 100%; overflow: auto; border: 1px solid var(--edge); border-radius: 6px; }
.list .wide { max-height: 80vh; }
table { border-collapse: separate; border-spacing: 0; font-size: 13px; overflow-wrap: normal; }
.list table { width: 100%; }
th, td { padding: 5px 10px; border-bottom: 1px solid var(--edge); text-align: left; vertical-align: top; font-weight: 400; white-space: nowrap; }
td.long { white-space: normal; min-width: 24em; overflow-wrap: anywhere; }
tr:last-child > * { border-bottom: 0; }
thead th { position: sticky; top: 0; z-index: 2; background: var(--raised); color: var(--faint); font-size: 12px; font-weight: 600; }
tbody th { position: sticky; left: 0; z-index: 1; background: var(--ground); }
thead th:first-child { left: 0; z-index: 3; }
tbody tr:hover > * { background: var(--raised); }
th button { padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; }
th button::after { content: " \\2195"; opacity: .5; }
[aria-sort=ascending] button::after { content: " \\2191"; opacity: 1; }
[aria-sort=descending] button::after { content: " \\2193"; opacity: 1; }
.matrix { width: fit-content; margin: 12px 0 20px; }
.matrix td { min-width: 5em; }
.matrix small { display: block; }
.matrix a { display: block; font-weight: 600; }
form { position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; padding: 8px 0; background: var(--ground); }
form[hidden] { display: none; }
input[type=search] { width: min(22em, 60vw); padding: 4px 8px; border: 1px solid var(--edge); border-radius: 6px; background: var(--ground); color: inherit; font: inherit; }
output, .count, small { color: var(--faint); font-size: 13px; }
details > summary { padding: 8px 0; cursor: pointer; }
.list, main > .picture { border-top: 1px solid var(--edge); }
.list[open] { padding-bottom: 16px; }
.list .picture { margin-top: 8px; }
.list .picture:not([open]):not(:has(:target)) { display: none; }
.list:not(:has(.picture[open])) > .legend { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 12px 0 0; padding: 0; list-style: none; color: var(--faint); font-size: 12px; }
.legend svg { vertical-align: -3px; }
.target { scroll-margin-top: 90px; }
.picture svg { display: block; height: auto; }
.zoom { display: flex; gap: 6px; align-items: center; margin: 0 0 8px; }
.zoom button { min-width: 32px; padding: 2px 8px; border: 1px solid var(--edge); border-radius: 6px; background: var(--raised); color: inherit; font: inherit; cursor: pointer; }
.now-created { color: var(--created); }
.now-changed { color: var(--changed); }
.now-replaced { color: var(--replaced); font-weight: 600; }
.now-deleted { color: var(--deleted); font-weight: 600; }
.now-unknown { color: var(--unknown); }
.now-unchanged { color: var(--faint); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 600px) { body { padding: 12px; } th, td { padding: 5px 8px; } tbody th { max-width: 45vw; white-space: normal; overflow-wrap: anywhere; } }
@media print { form, .zoom { display: none; } .wide, .list .wide { max-height: none; overflow: visible; } }
`;

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
