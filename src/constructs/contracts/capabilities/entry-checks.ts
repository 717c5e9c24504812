import { CAPABILITIES_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';

/**
 * Checks the entries of a list of names.
 *
 * @param check finds what is wrong with one of them
 * @param below path from the entry to the name, if the entry is not the name itself
 */
export function checkTexts(property: string, texts: readonly string[] = [], check: (text: string) => string | undefined, below = ''): Problem[] {
  return texts.flatMap((text, index): Problem[] => {
    const at = `${property}[${index}]${below}`;
    const first = texts.indexOf(text);
    const fault = check(text);
    if (fault !== undefined) return [{ rule: CAPABILITIES_RULES.entry, property: at, message: fault, fix: 'write it as it is in the cluster' }];
    return first === index ? [] : [{ rule: CAPABILITIES_RULES.twice, property: at, message: `"${text}" is there already, at position ${first}`, fix: 'remove one of the two' }];
  });
}
