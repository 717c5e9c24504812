import {
  IntOrString, KamajiControlPlaneSpecNetworkAdditionalServicePorts as ServicePortSpec,
  KamajiControlPlaneSpecNetworkAdditionalServicePortsProtocol as ProtocolSpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';

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
   * Name of the port: a DNS label, not `kube-apiserver` and not `konnectivity-server` (`TC-TRAP-KAMAJI-SERVICE-PORT`).
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
