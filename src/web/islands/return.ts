import { addressBarOf, addressToReturnTo } from './address-secrets.ts'

/** On the page that says "not found": a reload of a page whose secret has left its address. */
const address = addressToReturnTo(addressBarOf(window))
if (address !== null) location.replace(address)
