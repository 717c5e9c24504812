import { containerText, podText } from '../../../src/manifests/kubernetes/examples';
import { KUBERNETES_RULES } from '../../../src/manifests/kubernetes/kubernetes-rules';
import { detailsIn } from '../rules/rules-under-test';

/** Rule and field of what is found, without what all ids and all fields begin with. */
function found(text: string): string[] {
  return detailsIn(KUBERNETES_RULES, text).map(({ id, path }) => `${id.replace('TC-ADMIT-KUBERNETES-', '')} ${path.join('.').replace('spec.containers.0.', '')}`);
}

test.each<[fields: string, found: string[]]>([
  ['ports: [{name: HTTP, containerPort: 80}]', ['CONTAINER-PORT ports.0.name']],
  ['ports: [{name: a--b, containerPort: 80}, {name: "80", containerPort: 81}]', ['CONTAINER-PORT ports.0.name', 'CONTAINER-PORT ports.1.name']],
  ['ports: [{name: a, containerPort: 80}, {name: a, containerPort: 81}]', ['CONTAINER-PORT ports.1.name']],
  ['ports: [{containerPort: 0}]', ['CONTAINER-PORT ports.0.containerPort']],
  ['ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}]', ['CONTAINER-PORT ports.1.hostPort']],
  ['ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80, protocol: UDP}]', []],
  ['env: [{name: "A=B"}]', ['ENV env.0.name']],
  ['env: [{name: A B}]', []],
  ['env: [{name: A, valueFrom: {}}]', ['ENV env.0.valueFrom']],
  ['env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.hostname}}}]', ['ENV env.0.valueFrom.fieldRef.fieldPath']],
  ['envFrom: [{prefix: A_}]', ['ENV envFrom.0']],
  ['envFrom: [null]', ['ENV envFrom.0']],
  ['resources: {claims: [{name: a}]}', ['RESOURCES resources.claims.0.name']],
  ['livenessProbe: {httpGet: {port: 80, httpHeaders: [{name: X-A, value: a}, {name: /a, value: a}]}}', ['PROBE livenessProbe.httpGet.httpHeaders.1.name']],
  ['restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [1]}}]', ['CONTAINER-NAME restartPolicy']],
  ['securityContext: {procMount: Unmasked}', ['SECURITY-CONTEXT securityContext.procMount']],
  ['securityContext: {windowsOptions: {runAsUserName: acme\\web}}', []],
  ['securityContext: {windowsOptions: {runAsUserName: "https://a"}}', ['SECURITY-CONTEXT securityContext.windowsOptions.runAsUserName']],
  ['securityContext: {windowsOptions: {gmsaCredentialSpecName: web-app}}', []],
  ['securityContext: {windowsOptions: {gmsaCredentialSpecName: "oci://a/b"}}', ['SECURITY-CONTEXT securityContext.windowsOptions.gmsaCredentialSpecName']],
  ['resources: {requests: {cpu: 2}, limits: {cpu: 1500m}}', ['RESOURCES resources.requests.cpu']],
  ['resources: {requests: {cpu: 1500m}, limits: {cpu: 2}}', []],
  ['resources: {limits: {memory: -1Gi}}', ['RESOURCES resources.limits.memory']],
  ['resources: {limits: {gpu: 1}}', ['RESOURCES resources.limits.gpu']],
  ['resources: {limits: {hugepages-2Mi: 2Mi}}', ['RESOURCES resources.limits.hugepages-2Mi']],
  ['resources: {limits: {cpu: 1, hugepages-2Mi: 3Mi}}', ['RESOURCES resources.limits.hugepages-2Mi']],
  ['resources: {limits: {requests.example.com/gpu: 1}}', ['RESOURCES resources.limits.requests.example.com/gpu']],
  ['resources: {requests: {example.com/gpu: 1}}', ['RESOURCES resources.requests.example.com/gpu']],
  ['resources: {requests: {example.com/gpu: 1}, limits: {example.com/gpu: 2}}', ['RESOURCES resources.requests.example.com/gpu']],
  ['ports: [{containerPort: 99999999999}]', ['CONTAINER-PORT ports.0.containerPort']],
  ['ports: [{containerPort: 4294967376}]', []],
  ['livenessProbe: {exec: {command: []}}', ['PROBE livenessProbe.exec.command']],
  ['livenessProbe: {exec: {command: [a]}, grpc: {port: 1}}', ['PROBE livenessProbe']],
  ['livenessProbe: {tcpSocket: {port: 80}, successThreshold: 2}', ['PROBE livenessProbe.successThreshold']],
  ['readinessProbe: {tcpSocket: {port: 80}, successThreshold: 2}', []],
  ['securityContext: {privileged: true, allowPrivilegeEscalation: false}', ['SECURITY-CONTEXT securityContext.privileged']],
  ['securityContext: {allowPrivilegeEscalation: false, capabilities: {add: [CAP_SYS_ADMIN]}}', ['SECURITY-CONTEXT securityContext.capabilities.add']],
  ['securityContext: {allowPrivilegeEscalation: false, capabilities: {add: [SYS_ADMIN]}}', []],
  ['securityContext: {runAsUser: -1}', ['SECURITY-CONTEXT securityContext.runAsUser']],
  ['volumeMounts: [{name: a, mountPath: /a}]', ['VOLUME-MOUNT volumeMounts.0.name']],
])('of a container: %s', (fields, expected) => {
  expect(found(containerText(fields))).toEqual(expected);
});

test.each<[fields: string, found: string[]]>([
  ['tolerations: [{key: a, operator: Equal, value: b, tolerationSeconds: 5}]', ['TOLERATION spec.tolerations.0.effect']],
  ['tolerations: [{value: b}]', ['TOLERATION spec.tolerations.0.operator']],
  ['tolerations: [{operator: Exists}]', []],
  ['topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway, minDomains: 2}]', ['TOPOLOGY-SPREAD spec.topologySpreadConstraints.0.minDomains', 'TC-TRAP-KUBERNETES-SPREAD spec.topologySpreadConstraints.0']],
  ['resourceClaims: [{name: a, resourceClaimName: a}, {name: b}]', ['RESOURCES spec.resourceClaims.1']],
  ['securityContext: {sysctls: [{name: net.a, value: "1"}, {name: net/a, value: "1"}]}', ['SECURITY-CONTEXT spec.securityContext.sysctls.1.name']],
  ['hostnameOverride: a/b', ['POD spec.hostnameOverride']],
  ['topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway, matchLabelKeys: [a]}]', ['TOPOLOGY-SPREAD spec.topologySpreadConstraints.0.matchLabelKeys']],
  ['activeDeadlineSeconds: 0', ['POD spec.activeDeadlineSeconds']],
  ['schedulingGates: [{name: example.com/quota}, {name: "a="}]', ['POD spec.schedulingGates.1.name']],
  ['hostAliases: [{ip: web}]', ['POD spec.hostAliases.0.ip']],
  ['dnsConfig: {nameservers: [a], searches: [-a], options: [{}]}', ['POD spec.dnsConfig.searches.0', 'POD spec.dnsConfig.options.0.name', 'POD spec.dnsConfig.nameservers.0']],
  ['volumes: [{name: a, configMap: {items: [{key: a, path: ../a, mode: 600}], name: b}}]', ['VOLUME spec.volumes.0.configMap.items.0.path', 'VOLUME spec.volumes.0.configMap.items.0.mode']],
  ['initContainers: [{name: b, image: a, volumeMounts: [{name: data, mountPath: /v, mountPropagation: Bidirectional}]}]\nvolumes: [{name: data, emptyDir: {}}]',
    ['VOLUME-MOUNT spec.initContainers.0.volumeMounts.0.mountPropagation']],
  ['volumes: [{name: A, emptyDir: {sizeLimit: -1Gi}}]', ['VOLUME spec.volumes.0.name', 'VOLUME spec.volumes.0.emptyDir.sizeLimit']],
  ['initContainers: [{name: b, image: a, livenessProbe: {tcpSocket: {port: 1}}}]', ['PROBE spec.initContainers.0.livenessProbe']],
  ['initContainers: [{name: b, image: a, restartPolicy: Always, livenessProbe: {tcpSocket: {port: 1}}}]', []],
])('of a pod: %s', (fields, expected) => {
  expect(found(podText(`${fields}\ncontainers: [{name: a, image: a}]`))).toEqual(expected);
});
