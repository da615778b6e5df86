import { createPrivateKey } from 'node:crypto'

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

/** A certificate that signs itself, for servers of tests. Nothing trusts it. */
export const testCertificate = {
  key: createPrivateKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  }),
  cert: `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n`,
}
