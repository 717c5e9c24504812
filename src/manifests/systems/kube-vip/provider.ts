import { POD_RULES } from './rules/pods';
import { STATIC_POD_RULES } from './rules/static-pods';
import { Provider } from '../../rules/provider';

/** kube-vip, which gives control planes and Services a virtual address. */
export const KUBE_VIP: Provider = {
  name: 'kube-vip',
  title: 'kube-vip',
  kinds: [],
  rules: [...STATIC_POD_RULES, ...POD_RULES],
};
