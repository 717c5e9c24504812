import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ConstructSlot, rootOf } from './app-state';

/**
 * Objects that go to a tenant are in a tree of their own, whose root belongs to a construct of the app. Such a tree has its own state: its names
 * are those of another cluster. Synthesis, which is one for all trees, has its state at the app.
 */
const OWNER = new ConstructSlot<IConstruct>('TreeOwner');
const CHARTS = new ConstructSlot<Chart[]>('TenantCharts');
const OWN_TARGET = new ConstructSlot<true>('OwnTarget');
const CARRIER = new ConstructSlot<true>('TenantCarrier');

/** Makes the tree of a chart one that goes to the tenant of an owner. */
export function addTenantChart(chart: Chart, owner: IConstruct): void {
  OWNER.set(chart.node.root, owner);
  CHARTS.ensure(owner, () => []).push(chart);
}

/** The charts whose objects go to the tenant that a construct declares. */
export function tenantCharts(owner: IConstruct): readonly Chart[] {
  return CHARTS.get(owner) ?? [];
}

/** The construct that the tree around a construct belongs to; undefined if the tree goes to no tenant. */
export function treeOwner(construct: IConstruct): IConstruct | undefined {
  return OWNER.get(rootOf(construct));
}

/** True if a construct is in such a chart, which the app of its owner validates and writes. */
export function isInTenantChart(construct: IConstruct): boolean {
  return treeOwner(construct) !== undefined;
}

/** The root of the app that writes a construct. */
export function appOf(construct: IConstruct): IConstruct {
  const root = rootOf(construct);
  const owner = OWNER.get(root);
  return owner ? appOf(owner) : root;
}

/** Marks a construct whose charts go to the cluster that it is written to itself: a management cluster. */
export function markOwnTarget(owner: IConstruct): void {
  OWN_TARGET.set(owner, true);
}

/** True if the charts of a construct go to the cluster that it is written to itself. */
export function isOwnTarget(owner: IConstruct): boolean {
  return OWN_TARGET.get(owner) !== undefined;
}

/** Marks an object that contains the objects of such charts as a string. */
export function markCarrier(object: IConstruct): void {
  CARRIER.set(object, true);
}

/** True if an object contains the objects of such charts as a string. */
export function isCarrier(object: IConstruct): boolean {
  return CARRIER.get(object) !== undefined;
}
