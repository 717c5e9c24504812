import { CLUSTER_RULES } from './rules';
import { Problem } from '../problems/problem';

/**
 * Checks switches of a cluster. Settings that come from a file or the environment have no types: to JavaScript, the text `false` is true, and
 * with `decommission` it would take the cluster down.
 *
 * @param switches values by property
 */
export function checkSwitches(switches: { readonly [property: string]: unknown }): Problem[] {
  return Object.entries(switches).filter(([, value]) => value !== undefined && typeof value !== 'boolean').map(([property, value]) => ({
    rule: CLUSTER_RULES.switch,
    property,
    message: `${JSON.stringify(value) ?? String(value)} is neither true nor false`,
    accepted: 'true or false, without quotes',
    fix: `write ${property}: true or ${property}: false; compare a text, as in process.env.X === 'true'`,
  }));
}
