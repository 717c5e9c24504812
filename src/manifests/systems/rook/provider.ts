import { BLOCK_POOL, CLASSES, FILE_SYSTEM } from './classes';
import { Provider } from '../../rules/provider';

/** Rook, which runs Ceph. */
export const ROOK: Provider = {
  name: 'rook',
  title: 'Rook',
  kinds: [{ kind: BLOCK_POOL }, { kind: FILE_SYSTEM }],
  oneNodeDrivers: ['rbd.csi.ceph.com'],
  rules: CLASSES,
};
