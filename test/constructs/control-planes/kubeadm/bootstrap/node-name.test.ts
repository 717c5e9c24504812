import * as fc from 'fast-check';
import { configOf, problemsOf } from './bound';
import { NodeName } from '../../../../../src/constructs/contracts/node-name';
import { amount } from '../../../../support/sample';

test('the host name is the node\'s where nothing is said', () => {
  expect(configOf().joinConfiguration.nodeRegistration).not.toHaveProperty('name');
});

test.each([
  [NodeName.LOCAL_HOSTNAME, '{{ v1.local_hostname }}'],
  [NodeName.INSTANCE_ID, '{{ v1.instance_id }}'],
  [NodeName.METADATA_HOSTNAME, '{{ ds.meta_data.hostname }}'],
  [NodeName.METADATA_LOCAL_HOSTNAME, '{{ ds.meta_data.local_hostname }}'],
  [NodeName.fromInstanceData('ds.dynamic.instance_identity.document.instanceId'), '{{ ds.dynamic.instance_identity.document.instanceId }}'],
])('a node has the name that cloud-init puts in place of %j', (nodeName, expression) => {
  expect(problemsOf({ nodeName })).toEqual([]);
  expect(configOf({ nodeName }).joinConfiguration.nodeRegistration.name).toBe(expression);
});

test.each(['', 'ds', 'ds.', '.ds', 'ds..x', 'ds.meta-data.x', 'ds["x"].y', 'ds.x }}', 'ds.x|upper', 'ds.0x', 'v1.cloud_name', 'v1.local_hostname.x', 'sys_info.uname', 'worker-1'])('%j is refused', (path) => {
  expect(problemsOf({ nodeName: NodeName.fromInstanceData(path) })).toMatchObject([{ id: 'TC-KUBEADM-NODE-NAME', text: expect.stringMatching(/^bootstrap\.nodeName: /) }]);
});

test('nothing but one expression gets into kubeadm\'s configuration', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ds.v1{}%#"\'|() \n_x'), maxLength: 12 });
  fc.assert(fc.property(text, (rest) => {
    const nodeName = NodeName.fromInstanceData(`ds.${rest}`);
    fc.pre(problemsOf({ nodeName }).length === 0);
    expect(configOf({ nodeName }).joinConfiguration.nodeRegistration.name).toMatch(/^\{\{ ds(\.\w+)+ \}\}$/);
  }), { numRuns: amount(100, 15) });
});
