import { ApiObject, Chart, Testing } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import * as fc from 'fast-check';
import { inDependencyOrder } from '../../../../src/constructs/app/synth/dependency-order';

function object(scope: Construct, id: string): ApiObject {
  return new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id } });
}

function ids(root: IConstruct): string[] {
  return inDependencyOrder(root).filter((construct) => ApiObject.isApiObject(construct)).map(({ node }) => node.id);
}

test('without dependencies the order is that of the tree', () => {
  const chart = Testing.chart();
  ['b', 'a', 'c'].forEach((id) => object(chart, id));
  expect(ids(chart)).toEqual(['b', 'a', 'c']);
});

test('what depends on another comes after it, and everything else stays where it is', () => {
  const chart = Testing.chart();
  const [first, , third] = ['first', 'second', 'third'].map((id) => object(chart, id));
  first.addDependency(third);
  expect(ids(chart)).toEqual(['third', 'first', 'second']);
});

test('a dependency on a construct is one on everything in it', () => {
  const chart = Testing.chart();
  const user = new Construct(chart, 'user');
  const used = new Construct(chart, 'used');
  object(user, 'mine');
  object(used, 'one');
  object(used, 'two');
  user.node.addDependency(used);
  expect(ids(chart)).toEqual(['one', 'two', 'mine']);
});

test('constructs have no order with what they are in', () => {
  const chart = Testing.chart();
  const inner = new Chart(chart, 'inner');
  object(inner, 'object');
  chart.addDependency(inner);
  inner.addDependency(chart);
  expect(ids(chart)).toEqual(['object']);
});

test('dependencies on another tree are left to it', () => {
  const chart = Testing.chart();
  object(chart, 'here').addDependency(object(Testing.chart(), 'there'));
  expect(ids(chart)).toEqual(['here']);
});

test('a circle is named', () => {
  const chart = Testing.chart();
  const [one, two, three] = ['one', 'two', 'three'].map((id) => object(chart, id));
  one.addDependency(two);
  two.addDependency(three);
  three.addDependency(one);
  expect(() => inDependencyOrder(chart)).toThrow('Dependency cycle detected: test/one => test/two => test/three => test/one');
});

test('a chain of 20000 objects, and one of 20 composites of 10, take no more than their edges', () => {
  const long = Testing.chart();
  const chain = Array.from({ length: 20_000 }, (_, index) => object(long, `object-${index}`));
  chain.slice(1).forEach((later, index) => chain[index].addDependency(later));
  expect(ids(long)[0]).toBe('object-19999');

  const wide = Testing.chart();
  const composites = Array.from({ length: 20 }, (_, index) => new Construct(wide, `composite-${index}`));
  composites.forEach((composite, index) => Array.from({ length: 10 }, (_, at) => object(composite, `${index}-${at}`)));
  composites.slice(1).forEach((later, index) => composites[index].node.addDependency(later));
  expect(ids(wide).slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, at) => `19-${at}`));
});

test('every construct is there once, after all that it depends on', () => {
  const edges = fc.array(fc.tuple(fc.nat(14), fc.nat(14)), { maxLength: 30 });
  fc.assert(fc.property(edges, (pairs) => {
    const chart = Testing.chart();
    const objects = Array.from({ length: 15 }, (_, index) => object(index % 3 === 0 ? chart : new Construct(chart, `in-${index}`), `object-${index}`));
    // From higher to lower, so that there is no circle.
    const sorted = pairs.filter(([one, other]) => one !== other).map(([one, other]) => [Math.max(one, other), Math.min(one, other)]);
    sorted.forEach(([from, to]) => objects[from].addDependency(objects[to]));
    const order = inDependencyOrder(chart);
    expect(new Set(order)).toEqual(new Set(chart.node.findAll()));
    expect(order).toHaveLength(chart.node.findAll().length);
    sorted.forEach(([from, to]) => expect(order.indexOf(objects[from])).toBeGreaterThan(order.indexOf(objects[to])));
  }));
});
