/** Under which address other machines reach what listens on every interface of this one. */
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

const EVERY_INTERFACE = new Set(['0.0.0.0', '::', '[::]', '']);
const HERE = '127.0.0.1';
/** Networks of offices and homes, before those that virtual machines and tunnels use. */
const PREFERRED = [/^192\.168\./, /^10\./, /^172\.(?:1[6-9]|2\d|3[01])\./];
/** Bridges of containers and virtual machines: nobody else is behind them. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vEthernet|vmnet|vboxnet|lo\b)/i;

type Interfaces = NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[]>;

/** IPv4 addresses of this machine in its networks, the likeliest first. */
export function addressesInNetworks(interfaces: Interfaces = networkInterfaces()): string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, virtual: VIRTUAL.test(name) })),
  );
  const rank = ({ address, virtual }: (typeof found)[number]) => {
    const at = PREFERRED.findIndex((network) => network.test(address));
    return (virtual ? 10 : 0) + (at === -1 ? PREFERRED.length : at);
  };
  return found.sort((a, b) => rank(a) - rank(b)).map(({ address }) => address);
}

/**
 * Origins (`http://host:port`) under which a server can be opened, the one for other machines first, this very machine's
 * last. Of one that listens on a single address, that one.
 */
export function reachableOrigins(
  { host, port }: { host: string; port: number },
  interfaces: Interfaces = networkInterfaces(),
): string[] {
  const hosts = EVERY_INTERFACE.has(host) ? [...addressesInNetworks(interfaces), HERE] : [host];
  return hosts.map((one) => `http://${one.includes(':') ? `[${one}]` : one}:${port}`);
}

/** Whether only this very machine reaches it. */
export const isOnlyHere = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);
