import { ApiObject, Testing } from 'cdk8s';
import { FieldSources } from '../../../../src/constructs/app/synth/field-sources';

function propertyOf(sources: { [field: string]: string }, ...path: (string | number)[]): string | undefined {
  const object = new ApiObject(Testing.chart(), 'object', { apiVersion: 'v1', kind: 'ConfigMap' });
  FieldSources.record(object, object, sources);
  return FieldSources._find(object, path)?.property;
}

test.each<[what: string, sources: { [field: string]: string }, path: (string | number)[], property: string | undefined]>([
  ['a field', { 'spec.memory': 'memory' }, ['spec', 'memory'], 'memory'],
  ['a field below', { 'spec.memory': 'memory' }, ['spec', 'memory', 'guest'], 'memory'],
  ['no field above', { 'spec.memory': 'memory' }, ['spec'], undefined],
  ['no other field', { 'spec.memory': 'memory' }, ['spec', 'memoryLimit'], undefined],
  ['the nearest field', { 'spec': 'page', 'spec.memory': 'memory' }, ['spec', 'memory'], 'memory'],
  ['a certain field, before all below the one above', { 'spec.disk.size': 'size', 'spec.disk.**': 'disk.**' }, ['spec', 'disk', 'size'], 'size'],
  ['the last one for a field', { 'spec.memory': 'page', 'spec["memory"]': 'memory' }, ['spec', 'memory'], 'memory'],
  ['an entry of a list', { 'spec.disks[*].size': 'disks[*].size' }, ['spec', 'disks', 2, 'size'], 'disks[2].size'],
  ['a certain entry', { 'spec.disks[1]': 'rootDisk' }, ['spec', 'disks', 1, 'size'], 'rootDisk'],
  ['a key', { 'metadata.labels[*]': 'labels[*]' }, ['metadata', 'labels', 'example.com/a'], 'labels["example.com/a"]'],
  ['a key after a dot', { 'spec.disk.*': 'disk.*' }, ['spec', 'disk', 'size'], 'disk.size'],
  ['a key after a dot that needs quotes', { 'spec.labels.*': 'labels.*' }, ['spec', 'labels', 'example.com/a'], 'labels["example.com/a"]'],
  ['keys and indexes in their order', { 'spec.*.disks[*].*': 'disks.*[*].*' }, ['spec', 'root', 'disks', 2, 'size'], 'disks.root[2].size'],
  ['a certain key', { 'metadata.labels["example.com/a"]': 'label' }, ['metadata', 'labels', 'example.com/a'], 'label'],
  ['a path below', { 'spec.cloudInit.**': 'cloudInit.**' }, ['spec', 'cloudInit', 'users', 0, 'name'], 'cloudInit.users[0].name'],
  ['an index below', { 'spec.files.**': 'files.**' }, ['spec', 'files', 0], 'files[0]'],
  ['no path below', { 'spec.cloudInit.**': 'cloudInit.**' }, ['spec', 'cloudInit'], 'cloudInit'],
  ['a path below an entry', { 'spec.disks[*].**': 'disks[*].**' }, ['spec', 'disks', 1, 'size'], 'disks[1].size'],
])('%s', (_, sources, path, property) => {
  expect(propertyOf(sources, ...path)).toBe(property);
});
