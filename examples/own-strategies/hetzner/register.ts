import { HETZNER } from './provider';
import { registerProvider } from 'cdk8s-cluster-api/manifests';

registerProvider(HETZNER);
