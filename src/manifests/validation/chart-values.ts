import { Tenant } from './tenants';
import { ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { ValuesLayer } from '../rules/tenant-charts';
import { deliveryFacts, providers } from '../systems/providers';
import { Finding, findingsAt } from '../values/finding';

/** A release of a chart, without values. */
export const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: grafana, namespace: monitoring}
spec:
  interval: 10m
  chart: {spec: {chart: grafana, version: 10.1.0, sourceRef: {kind: HelmRepository, name: grafana}}}
  install: {strategy: {name: RetryOnFailure, retryInterval: 30s}}
`;

/** Kinds that deliver charts with values. */
export function chartKinds(): string[] {
  return providers().flatMap(({ deliveries = [] }) => deliveries).filter(({ layers }) => layers).map(({ kind }) => kind);
}

/** The values of a delivery that are known. */
export function valuesOf(object: ManifestObject, index: ManifestIndex, tenant?: Tenant): readonly ValuesLayer[] {
  return (deliveryFacts(object)!.layers!(object, index, tenant?.object) ?? []).filter(({ values }) => values !== undefined);
}

/** Findings about values, at the field of the delivery that has them. */
export function placed({ path, isWhole }: ValuesLayer, findings: readonly Finding[]): readonly Finding[] {
  return isWhole ? findings.map((finding) => ({ ...finding, path })) : findingsAt(path, findings);
}
