/** The capability that the command line's own tokens carry. */
export const operatorCapability = 'footlight.operator'
