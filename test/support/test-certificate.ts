import { createPrivateKey } from 'node:crypto'

const LOCAL_KEY = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOe7ZFTubi9HP99upDMg49RXmEPYC0828/NCm58PHoOehRANCAATh/iQ+',
  'Ydy+81wJpJj//wkHaizEPNkLx2a9/NEfIdD/vt4aDsOxYSzhDoSUoa3nZclxqqRJay7SX2mohJegVF5c',
].join('')
const LOCAL_CERTIFICATE = [
  'MIIBszCCAVmgAwIBAgIUW9cQ45LEt7n+XJ2KPvtbISv38PowCgYIKoZIzj0EAwIwIzENMAsGA1UECgwEVGVzdDESMBAGA1UEAwwJbG9j',
  'YWxob3N0MCAXDTI2MTEyODA5MzExN1oYDzIxMjYxMTA0MDkzMTE3WjAjMQ0wCwYDVQQKDARUZXN0MRIwEAYDVQQDDAlsb2NhbGhvc3Qw',
  'WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATh/iQ+Ydy+81wJpJj//wkHaizEPNkLx2a9/NEfIdD/vt4aDsOxYSzhDoSUoa3nZclxqqRJ',
  'ay7SX2mohJegVF5co2kwZzAdBgNVHQ4EFgQUV7gRHcGhX92T1UkZLfgzJH+c3sYwHwYDVR0jBBgwFoAUV7gRHcGhX92T1UkZLfgzJH+c',
  '3sYwFAYDVR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAJo6I7XsNusAqldour7GrMhc',
  'cH+V09Lo0D9a7ug0mNvjAiAMYGCSEnWhtdNVQpOzr0Qpesef5GfA5aAG05FlWPQZPg==',
].join('')
const KEY = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGR0Dikdpmr9VfTHtAHFfUxqBjc5xsKWIxpoHBgz9QuehRANCAATF',
  'UyamD6+5N+LhGCx1T+N/eIP2q+F0dHOi6mQ+HwL7TWHH4ufeeiOGh/430c3p1eI6b3uBI2EozhreNo6U93iF',
].join('')
const CERTIFICATE = [
  'MIIBsDCCAVWgAwIBAgIUeHtfWH2yMFQ22aVdLOsfSGrl690wCgYIKoZIzj0EAwIwLDENMAsGA1UECgwEVGVzdDEbMBkGA1UEAwwS',
  'cHJpY2VzLmV4YW1wbGUuY29tMCAXDTI2MTEyNzAzNDU1M1oYDzIxMjYxMTAzMDM0NTUzWjAsMQ0wCwYDVQQKDARUZXN0MRswGQYD',
  'VQQDDBJwcmljZXMuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATFUyamD6+5N+LhGCx1T+N/eIP2q+F0dHOi',
  '6mQ+HwL7TWHH4ufeeiOGh/430c3p1eI6b3uBI2EozhreNo6U93iFo1MwUTAdBgNVHQ4EFgQUsuX6HjXb5x6sk60AVq14z9Ap3T0w',
  'HwYDVR0jBBgwFoAUsuX6HjXb5x6sk60AVq14z9Ap3T0wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAtf6kTZq+',
  'gaK3Z279IxkTJfz5GqrQZyhzrHv8A5m84roCIQDsqmysDL0sKv1F/hgulzP1x19YFrMqxrkeq2HlyFGvtw==',
].join('')

/** A self-signed certificate for servers of tests. No client trusts it by default. */
export const testCertificate = certificate(KEY, CERTIFICATE)

/** A self-signed certificate for `localhost`, for tests with a server process, which resolves host names by itself. */
export const localCertificate = certificate(LOCAL_KEY, LOCAL_CERTIFICATE)

function certificate(key: string, text: string) {
  return {
    key: createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' }).export({
      format: 'pem',
      type: 'pkcs8',
    }),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}
