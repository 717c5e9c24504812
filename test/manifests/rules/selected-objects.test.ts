import * as fc from 'fast-check';
import { SelectedObjects, selects } from '../../../src/manifests/rules/label-selectors';
import { Fields } from '../../../src/manifests/values/fields';

const key = fc.constantFrom('a', 'b', 'constructor');
const value = fc.constantFrom('1', '2', '');
const labels = fc.dictionary(key, value, { noNullPrototype: true });
const selector = fc.record({
  matchLabels: labels, matchExpressions: fc.array(fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(value, { minLength: 1 }) }), { maxLength: 1 }),
}, { noNullPrototype: true });

test('of short lists and of long ones, the objects that a selector selects are found, in their order', () => {
  fc.assert(fc.property(fc.array(fc.record({ labels }, { noNullPrototype: true }), { maxLength: 12 }), fc.array(selector), (objects, selectors) => {
    const selected = new SelectedObjects((object) => object.labels as Fields);
    for (const one of selectors) expect(selected.of(objects, one)).toEqual(objects.filter((object) => selects(one, object.labels)));
  }));
});
