import { unknownKeys } from './chart-keys';
import { HelmChart } from '../../../src/constructs/contracts/helm-chart';

function chart(values: HelmChart['values'], name = 'cilium'): HelmChart {
  return { chart: name, repository: 'https://example.com', chartVersion: '1', releaseName: 'x', namespace: 'x', values };
}

test.each<[string, HelmChart, string[]]>([
  ['known keys', chart({ MTU: 1350, operator: { tolerations: [{ operator: 'Exists' }] } }), []],
  ['a key in the wrong case', chart({ mtu: 1350 }), ['mtu']],
  ['an unknown key deep down', chart({ hubble: { tls: { auto: { methods: 'cronJob' } } } }), ['hubble.tls.auto.methods']],
  ['an unknown map', chart({ nonsense: { a: { b: 1 }, c: [1] } }), ['nonsense.a.b', 'nonsense.c']],
  ['an object where one value belongs', chart({ MTU: { bytes: 1350 } }), ['MTU is one value']],
  ['one value where a list belongs', chart({ operator: { tolerations: 'all' } }), ['operator.tolerations is a list']],
  ['a key read by templates only', chart({ flannel: { mtu: 1350 } }, 'flannel'), []],
  ['anything below an empty object', chart({ service: { annotations: { any: 'thing' } } }, 'traefik'), []],
  ['a chart that nobody knows', chart({}, 'nonsense'), ['there is no chart nonsense']],
])('%s', (_what, given, faults) => {
  expect(unknownKeys(given)).toEqual(faults);
});
