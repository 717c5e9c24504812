/**
 * The text of a page with a generated section written anew, which is between `<!-- COMMAND: NAME -->` and `<!-- end of NAME -->`.
 *
 * @param page text of the page
 * @param command what writes the section, such as `npm run readme`
 * @param name name of the section
 * @param section the new content
 */
export function withSection(page: string, command: string, name: string, section: string): string {
  const [begin, end] = [`<!-- ${command}: ${name} -->\n`, `<!-- end of ${name} -->\n`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`the page has no place for "${name}": ${begin.trim()} and ${end.trim()}`);
  return `${before}${begin}${section}${end}${after}`;
}
