import { controlPlanePairs } from '../../../scripts/conformance/kamaji/control-plane-pairs';
import { kamajiFault } from '../../../scripts/conformance/kamaji/kamaji-proof';
import { PlanJson } from '../../../scripts/conformance/plan/compare-plan';

function plan(...effects: string[]): PlanJson {
  return { clusters: [{ name: 'acme', parts: [{ part: 'control plane', name: '', change: 'changed', effects: effects.map((effect) => ({ effect })) }] }] };
}

test.each<[string, PlanJson, pods: boolean, certificate: boolean, fault: string | undefined]>([
  ['pods are replaced as planned', plan('pods replaced', 'in place'), true, false, undefined],
  ['pods stay as planned', plan('in place'), false, false, undefined],
  ['nothing is planned, nothing happens', { clusters: [] }, false, false, undefined],
  ['pods are replaced and that is not planned', plan('in place'), true, false, 'not planned: pods replaced'],
  ['pods are replaced for a certificate, and that is not planned', plan('scaled'), false, true, 'not planned: pods replaced for a certificate'],
  ['pods are planned to be replaced, and stay', plan('pods replaced'), false, false, 'planned pods replaced, and they stay'],
  ['the effect is unknown', plan('unknown'), true, false, 'planned as unknown'],
])('%s', (_, planned, pods, certificate, fault) => {
  expect(kamajiFault(planned, { id: 'kamaji:0', pods, certificate })).toBe(fault);
});

test('pairs are each change alone, and as many more as are asked for, the same for a seed', () => {
  const [alone, three] = [controlPlanePairs(7, 0), controlPlanePairs(7, 3)];
  expect(three).toHaveLength(alone.length + 3);
  expect(controlPlanePairs(7, 3)).toEqual(three);
  expect(new Set(three.map(({ id }) => id)).size).toBe(three.length);
  // Taking away what there is not, and setting what there is already, changes nothing.
  expect(alone.filter((pair) => JSON.stringify(pair.old) !== JSON.stringify(pair.new)).length).toBeGreaterThan(alone.length - 5);
});
