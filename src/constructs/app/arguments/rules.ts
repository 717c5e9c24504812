/** Rules for the arguments of public constructors and methods. */
export const ARGUMENT_RULES = {
  copy: {
    id: 'TC-ARGUMENT-COPY',
    title: 'Lists that a construct returns are copies: methods of the construct add to it.',
  },
  missing: {
    id: 'TC-ARGUMENT-MISSING',
    title: 'What a constructor or method needs must be given, and be neither undefined nor null.',
  },
  type: {
    id: 'TC-ARGUMENT-TYPE',
    title: 'Arguments and properties must have the type that the API states.',
  },
  unknown: {
    id: 'TC-ARGUMENT-UNKNOWN',
    title: 'Properties must be ones that the API has: others would be ignored.',
  },
};
