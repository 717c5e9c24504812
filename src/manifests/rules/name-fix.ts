/**
 * The fix for a name that is not accepted: the name that the user most likely meant, if that is accepted.
 *
 * @param name the name
 * @param check says what is wrong with a name; undefined if nothing is
 * @param maxLength longest accepted name, in characters
 */
export function nameFix(name: string, check: (name: string) => string | undefined, maxLength: number): string {
  const likely = name.toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^[^a-z]+|(?<!-)-+$/g, '');
  if (likely !== '' && check(likely) === undefined) return `write "${likely}", also wherever the name is referred to`;
  return name.length > maxLength ? `shorten it by at least ${name.length - maxLength} characters` : 'choose a name of lower-case letters, digits and "-" that starts with a letter';
}
