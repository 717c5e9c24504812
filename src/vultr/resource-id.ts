import { VULTR_RULES } from './rules';
import { Problem } from '../problems/problem';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Checks the UUID of something that exists at Vultr. */
export function checkResourceId(property: string, id: string | undefined): Problem[] {
  return id === undefined || UUID.test(id) ? [] : [{
    rule: VULTR_RULES.resourceId,
    property,
    message: `"${id}" is not the UUID of anything at Vultr`,
    accepted: '32 hexadecimal digits in lower case, as in "cb676a46-66fd-4dfb-b839-443f2e6c0b60"',
    fix: 'copy the id, not the name, from the customer portal or from vultr-cli',
  }];
}
