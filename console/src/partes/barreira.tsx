import { Component, type ReactNode } from 'react';
import { semTela } from '../api/falha.ts';
import { Erro } from './estados.tsx';

/**
 * One broken screen leaves the rest of the console standing. A screen whose code does not come reloads: it has been
 * replaced by another version, or the server is away; a browser does not tell which.
 */
export class Barreira extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const outdated =
      error instanceof TypeError && /dynamically imported module|module script/.test(error.message);
    return (
      <Erro
        falha={outdated ? semTela() : error}
        titulo={outdated ? 'Esta tela não veio do servidor' : 'Esta tela parou'}
        deNovo={() => window.location.reload()}
      />
    );
  }
}
