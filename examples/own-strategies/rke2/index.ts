export * from './bootstrap';
export * from './control-plane';
export type { Rke2Options } from './node-config';
export * from './provider';
