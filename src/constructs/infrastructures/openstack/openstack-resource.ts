/**
 * A resource of OpenStack that exists: a network, subnet, router, security group, server group or image.
 *
 * @example
 * const external = openstack.OpenStackResource.named('public');
 */
export class OpenStackResource {
  /**
   * The resource with an id.
   *
   * @param id its UUID (`TC-ADMIT-FIELD-VALUE`)
   */
  public static id(id: string): OpenStackResource {
    return new OpenStackResource({ id });
  }

  /**
   * The one resource with a name. The provider looks it up in the project of the credentials.
   *
   * @param name its name
   */
  public static named(name: string): OpenStackResource {
    return new OpenStackResource({ filter: { name } });
  }

  /**
   * The one resource with all of some tags. Server groups have none.
   *
   * @param tags its tags, without commas
   */
  public static tagged(...tags: string[]): OpenStackResource {
    return new OpenStackResource({ filter: { tags } });
  }

  /**
   * The one resource that a filter finds.
   *
   * @param filter fields of the filter as the definition of the provider has them, e.g. `{ cidr: '10.6.0.0/24' }` for a subnet
   */
  public static filter(filter: { [field: string]: any }): OpenStackResource {
    return new OpenStackResource({ filter });
  }

  /**
   * For images: an `Image` of the OpenStack Resource Controller, in the namespace of the cluster.
   *
   * @param name its name
   */
  public static imageRef(name: string): OpenStackResource {
    return new OpenStackResource({ imageRef: { name } });
  }

  private constructor(
    /** @internal */
    public readonly _spec: { readonly [field: string]: any },
  ) {}
}

/** The fields of resources; undefined for none. */
export function resourcesOf(resources: readonly OpenStackResource[] | undefined): object[] | undefined {
  return resources && resources.length > 0 ? resources.map(({ _spec }) => _spec) : undefined;
}
