/**
 * The roots of ICP-Brasil, by the SHA-256 of their certificates. Here, and not with the certificates themselves, so that
 * nobody becomes a root by being put into a file.
 * @fonte ITI, Repositório da AC Raiz: certificados das autoridades certificadoras
 */
export const RAIZES_DA_ICP_BRASIL: readonly string[] = [
  'cbd8ed38d4a2d677d453d70dd8890af4f6374cba6299943f1ab3a6936c6fd795', // v1, até 2021
  'fb47d92a9909fd4fa9bec02737543e1f3514ced747407a8d9cfa397b0915067c', // v2, até 2023
  'caa53fc6091c6951887c976e378f6ef89aa6377c55d97b6475422b71ed7e9b17', // v5, até 2029
  '6e0bff069a26994c15de2c4888cc54af84882e5495b7fbf66be9ccffec7489f6', // v10, até 2032
  '1406710058180fa4081aab3f246f1702429c552a11fa3143b84c88cb3ab8e5e7', // v11, até 2032
  'f0c15afd258fb674e7a96e1a50ff873149364b9ec70d4d93c7a9f1eb6060d020', // v4, até 2035
  'd8478e37ce19c690cf657381e68fe600e4e1a042536830f06847e03e554c4b01', // v12, até 2037
  '3bdb9b509352f1d3d71c2bf64d9a38a4e6cebda27809d77f7ac476cbde6e314a', // v6, até 2038
  '5657e70580eb678983f3ed7dfce091d84cae6549389a47fccda8d0e4dc2cf576', // v7, até 2038
  '2b07d0bc02c4a6e0478ed22d0d99e8f97e1827b269097696a7feb6aad30c3ac8', // v13, até 2045
];
