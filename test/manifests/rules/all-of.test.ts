import * as fc from 'fast-check';
import { allOf } from '../../../src/manifests/values/finding';

test('everything that was found is there, in its order', () => {
  fc.assert(fc.property(fc.array(fc.array(fc.integer())), (lists) => {
    const before = structuredClone(lists);
    expect(allOf(...lists)).toEqual(lists.flat());
    expect(lists).toEqual(before);
  }));
});
