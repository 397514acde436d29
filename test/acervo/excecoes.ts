/** Files of the collection, by SHA-256, whose signature verdict rightly differs from the manifest's, with the reason. */
export const EXCECOES_DA_ASSINATURA: Readonly<Record<string, string>> = {
  '688267effda38408ffc0a74d4b7d02975023ff9a1f70514bae05b0a22733e885':
    'The outer Signature of this NFS-e lost its namespace: by the standard it is none. The manifest found it by its name.',
  '59eb04e46998d151a276aa50bf14737262321005b792e8d478daffb9a2a80b40':
    'A request to São Paulo signs its root (URI=""); no document that is kept is signed so, and it is no document.',
  '6195da1f39ae520f242ddfebe59705f44e044765c78c1f9c27e350e81224f518':
    'A request to São Paulo signs its root (URI=""); no document that is kept is signed so, and it is no document.',
  aaead79bb859c245d7cb5fc456250e629bfc02f0e2c24071843c8020c20ac1dc:
    'A request to São Paulo signs its root (URI=""); no document that is kept is signed so, and it is no document.',
};
