import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faltaDaSenha, isComum } from './senha-forte.ts';

const codigoDe = (senha: string, pessoais?: string[]) => faltaDaSenha(senha, pessoais)?.codigo ?? null;

describe('a new password', () => {
  it('has 10 to 128 characters, whatever they are', () => {
    assert.equal(codigoDe('Xk3#pQ9vL'), 'senha_tamanho');
    assert.equal(codigoDe('Xk3#pQ9vLw'), null);
    assert.equal(codigoDe('🦜🎺 frase com espaço'), null);
    assert.equal(codigoDe('frase comprida de quem gosta '.repeat(4)), null);
    assert.equal(codigoDe('Xk3#pQ9vLw'.repeat(13)), 'senha_tamanho');
  });

  it('is none of those that everybody tries, in whatever dress', () => {
    for (const senha of [
      'qwertyuiop',
      '1234567890',
      'q1w2e3r4t5',
      '1q2w3e4r5t',
      '4815162342',
      '123456789a',
      '12345qwert',
      '1234554321',
      'password123',
      '1029384756',
      '123qweasdzxc',
      'manchester',
      '1qaz2wsx3edc',
      '12345678910',
      '1123581321',
      'terminator',
      'Password123!',
      'P@ssw0rd2024',
      'Senha@12345',
      'senha123456',
      'minhasenha',
      'Flamengo2024!',
      'corinthians1',
      'Brasil@2026',
      'aaaaaaaaaaaa',
      'abcabcabcabc',
      'Maria31121990',
      'jesusfiel123',
      'administrador',
      'Mudar@1234',
      'contabilidade',
      '31121990311290',
    ])
      assert.equal(codigoDe(senha), 'senha_comum', senha);
  });

  it('is not made of the names and addresses of its owner', () => {
    const pessoais = ['Zuleica Wanderkind', 'zuleica.wk@exemplo.com.br', 'Escritório Quasar'];
    assert.equal(codigoDe('zuleica2026', pessoais), 'senha_comum');
    assert.equal(codigoDe('Qu@sar-Wanderkind', pessoais), 'senha_comum');
    assert.equal(codigoDe('Qu@sar-Wanderkind'), null);
  });

  it('of three words that have nothing to do with each other is a good one', () => {
    for (const senha of [
      'cadeira-nublada-tamborim',
      'pinguim cozinha alfabeto',
      'Jabuticaba7%Trapezio',
      'vK8!mmQz2p',
    ])
      assert.equal(isComum(senha), false, senha);
  });

  it('is judged in no time, however long and odd it is', () => {
    const started = process.cpuUsage();
    for (const senha of ['a1'.repeat(64), 'qwe'.repeat(42), '@$!'.repeat(42), 'ß'.repeat(128)])
      isComum(senha);
    assert.ok(process.cpuUsage(started).user < 2_000_000);
  });
});
