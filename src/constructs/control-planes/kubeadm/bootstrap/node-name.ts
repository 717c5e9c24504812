import { Problem, Rule } from '../../../../manifests/values/problem';
import { NodeName } from '../../../contracts/node-name';

// Keys of jinja's dot notation. cloud-init has an alias with "_" for each key that has other characters.
const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;

/** Standardised keys that differ from machine to machine. */
const OF_ONE_MACHINE: readonly string[] = ['v1.instance_id', 'v1.local_hostname'];

const OF_DATA_SOURCE = 'ds.';

const NODE_NAME_RULE: Rule = {
  id: 'TC-KUBEADM-NODE-NAME',
  title: 'The name of a node is an entry of cloud-init\'s instance data that differs between machines.',
  source: 'docs.cloud-init.io/en/latest/explanation/instancedata.html',
};

/** Checks where the name of a node comes from. */
export function checkNodeName({ path }: NodeName, property: string): Problem[] {
  const message = !PATH.test(path) ? `${JSON.stringify(path)} is not an entry of cloud-init's instance data`
    : (path.startsWith(OF_DATA_SOURCE) || OF_ONE_MACHINE.includes(path) ? undefined : `"${path}" may be the same on several machines, whose nodes would be one`);
  return message === undefined ? [] : [{
    rule: NODE_NAME_RULE,
    property,
    message,
    accepted: `${OF_ONE_MACHINE.join(', ')} and paths of letters, digits and "_" that start with "${OF_DATA_SOURCE}"`,
    fix: 'name the entry that has the name of the machine, or leave nodeName out',
  }];
}
