/** Default namespace of the objects of a GitOps tool, outside of a tenant's namespace. */
export const DELIVERY_NAMESPACE = 'flux-system';
