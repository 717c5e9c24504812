import { parse } from 'yaml';
import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { MACHINES } from '../../../../src/manifests/rules/cluster-api/machines';
import { findingsIn } from '../rules-under-test';

test('says once for each object that a feature gate is off', () => {
  const pool = (name: string) => `{class: worker, name: ${name}, taints: [{key: example.com/a, effect: NoSchedule, propagation: Always}]}`;
  const cluster = parse(`apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec: {topology: {classRef: {name: acme}, version: v1.35.4, workers: {machineDeployments: [${pool('a')}, ${pool('b')}, ${pool('c')}]}}}
`) as ManifestObject;

  const found = findingsIn(MACHINES, [cluster]);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^TC-ADMIT-MACHINE-TAINT-GATE .*machineDeployments\.0\.taints/);
});
