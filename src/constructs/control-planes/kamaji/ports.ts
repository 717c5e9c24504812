import { KamajiExposure } from './exposure';
import { KAMAJI_RULES } from './rules';
import {
  IntOrString, KamajiControlPlaneSpecNetworkAdditionalServicePorts as ServicePortSpec,
  KamajiControlPlaneSpecNetworkAdditionalServicePortsProtocol as ProtocolSpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { COMPONENT_PORTS, KONNECTIVITY_PORTS } from '../../../manifests/systems/kamaji/pod-ports';
import { checkDnsLabel, checkPort } from '../../../manifests/values/dns';
import { Problem, problemIf } from '../../../manifests/values/problem';

/** Transport protocol of a Service's port. */
export enum KamajiServiceProtocol {
  /** TCP. */
  TCP = 'TCP',

  /** UDP. */
  UDP = 'UDP',

  /** SCTP. */
  SCTP = 'SCTP',
}

/** A port of the control plane's Service beside those of the API server and of konnectivity. */
export interface KamajiServicePort {
  /**
   * Name of the port: a DNS label, not `kube-apiserver` and not `konnectivity-server` (`TC-KAMAJI-SERVICE-PORT`,
   * `TC-TRAP-KAMAJI-SERVICE-PORT`).
   */
  readonly name: string;

  /** Port of the Service: 1 to 65535. */
  readonly port: number;

  /**
   * Port in the pod: 1 to 65535.
   *
   * @default - the port of the Service
   */
  readonly targetPort?: number;

  /**
   * Transport protocol.
   *
   * @default KamajiServiceProtocol.TCP
   */
  readonly protocol?: KamajiServiceProtocol;
}

/** Additional ports as the object has them. */
export function servicePortSpecs(ports: readonly KamajiServicePort[] | undefined): ServicePortSpec[] | undefined {
  return ports?.length ? ports.map(({ name, port, targetPort, protocol }) => ({
    name,
    port,
    targetPort: IntOrString.fromNumber(targetPort ?? port),
    protocol: (protocol ?? KamajiServiceProtocol.TCP) as string as ProtocolSpec,
  })) : undefined;
}

/**
 * Checks that everything in the pod and on its Service has a port of its own.
 *
 * @param exposure how the API server is reached
 * @param konnectivityPort port of the konnectivity server, undefined without one
 * @param additional further ports of the Service
 */
export function checkPorts(exposure: KamajiExposure, konnectivityPort: number | undefined, additional: readonly KamajiServicePort[]): Problem[] {
  const taken: (readonly [number, string])[] = [...COMPONENT_PORTS, ...(konnectivityPort === undefined ? [] : KONNECTIVITY_PORTS)];
  const apiProperty = `controlPlane.exposure.${exposure._choice.ingress ? 'servicePort' : 'port'}`;
  const problems = checkTaken(apiProperty, exposure.apiServerPort, taken);
  if (konnectivityPort !== undefined) {
    const property = konnectivityPortProperty(exposure);
    problems.push(...problemIf(KAMAJI_RULES.konnectivity, property, checkPort(konnectivityPort), 'choose a free port, such as 8132'));
    problems.push(...checkTaken(property, konnectivityPort, [...taken, [exposure.apiServerPort, 'the API server']]));
  }
  return [...problems, ...checkServicePorts(additional, [exposure.apiServerPort, konnectivityPort])];
}

/** The property that gives the port of the konnectivity server. */
export function konnectivityPortProperty(exposure: KamajiExposure): string {
  return exposure._choice.nodePort ? 'controlPlane.exposure.konnectivityPort' : 'controlPlane.konnectivity.port';
}

function checkTaken(property: string, port: number, taken: readonly (readonly [number, string])[]): Problem[] {
  return taken.filter(([other]) => other === port).map(([, owner]) => ({
    rule: KAMAJI_RULES.portClash,
    property,
    message: `port ${port} is the one that ${owner} listens on in the same pod`,
    fix: 'choose another port',
  }));
}

function checkServicePorts(ports: readonly KamajiServicePort[], reserved: readonly (number | undefined)[]): Problem[] {
  return ports.flatMap((port, index): Problem[] => {
    const property = `controlPlane.additionalServicePorts[${index}]`;
    const rule = KAMAJI_RULES.servicePort;
    const before = ports.slice(0, index);
    const sameProtocol = (other: KamajiServicePort) => (other.protocol ?? KamajiServiceProtocol.TCP) === (port.protocol ?? KamajiServiceProtocol.TCP);
    const isTaken = before.some((other) => other.port === port.port && sameProtocol(other))
      || (reserved.includes(port.port) && (port.protocol ?? KamajiServiceProtocol.TCP) === KamajiServiceProtocol.TCP);
    return [
      ...problemIf(rule, `${property}.name`, checkDnsLabel(port.name), 'write a short name in lower case'),
      ...problemIf(rule, `${property}.port`, checkPort(port.port), 'give the port that clients connect to'),
      ...problemIf(rule, `${property}.port`, isTaken ? `port ${port.port} of the Service is taken already` : undefined, 'choose another port'),
      ...problemIf(rule, `${property}.targetPort`, port.targetPort === undefined ? undefined : checkPort(port.targetPort), 'give the port that the program in the pod listens on'),
    ];
  });
}
