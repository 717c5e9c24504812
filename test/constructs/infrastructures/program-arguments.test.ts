import { ProviderAddons } from '../../../src/constructs/addons/provider-addons';
import { checkArguments } from '../../../src/constructs/app/arguments/check-arguments';
import { runExample } from '../../support/examples';

// In the package, calls of the library itself are checked as well: what a type does not have would refuse every cluster.
test.each(['openstack', 'proxmox', 'vsphere'])('the programs of %s have no property that ProviderProgram lacks', (name) => {
  const of = jest.spyOn(ProviderAddons, 'of');
  runExample(name);
  const calls = of.mock.calls.map(([, , programs]) => programs);
  of.mockRestore();

  expect(calls).not.toEqual([]);
  expect(calls.flatMap((programs) => checkArguments({ programs: '[ProviderProgram]' }, [programs], false).faults)).toEqual([]);
});
