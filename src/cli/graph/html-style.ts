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
