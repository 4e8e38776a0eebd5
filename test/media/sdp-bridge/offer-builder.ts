/** Offers are made from descriptions, for the tests and for the conformance suites alike. */
export * from '../../../src/conformance/offer-builder.ts'
