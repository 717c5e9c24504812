import { PLANTED_MISTAKES } from './planted-lists';
import { exampleObjects, plant } from './planted-mistake';
import { objectName } from '../../../src/manifests/objects/manifest-object';
import { ConformanceCase } from '../conformance-case';
import { rawJson } from '../raw-json';

/** Mistakes that a person makes with each infrastructure, in the output of its example. An object that is only missing is nothing that a server judges. */
export function plantedCases(): ConformanceCase[] {
  return PLANTED_MISTAKES.flatMap(({ provider, example, mistakes }) => {
    const objects = exampleObjects(example);
    return mistakes.flatMap((mistake, number): ConformanceCase[] => {
      const { object, original, before, after } = plant(objects, mistake);
      return object === undefined ? [] : [{
        id: `mistake-${provider}:${number}`,
        origin: 'mutation',
        row: `mistakes in ${provider}`,
        words: `${objectName(object)}: ${mistake.words}`,
        set: [],
        ...(mistake.isChange && { before: rawJson(original), aroundBefore: before.filter((one) => one !== original) }),
        text: rawJson(object),
        around: after.filter((one) => one !== object),
      }];
    });
  });
}
