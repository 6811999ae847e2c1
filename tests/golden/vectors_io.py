"""How to use the golden vectors: build a store, compare a result. Standard library only."""
import base64, hashlib, json, os, shutil, tempfile

def load(path):
    with open(path, encoding="utf-8") as f:
        for line in f: yield json.loads(line)

def new_root():
    """A root whose path is 16 bytes long, as the vectors were made with (render's byte budget counts the path)."""
    root = tempfile.mkdtemp(prefix="zsv", dir="/tmp")
    assert len(root) == 16, root
    return root

def raw(v):
    """Content of a file as the vectors write it: text, {"b64": …} or {"parts": [[text, times], …]}."""
    if isinstance(v, str): return v.encode("utf-8", "surrogatepass")
    if "b64" in v: return base64.b64decode(v["b64"])
    return b"".join(t.encode() * n for t, n in v["parts"])

def build(root, inp):
    for d in inp.get("dirs", []): os.makedirs(os.path.join(root, d), exist_ok=True)
    items = [(os.fsencode(k), v) for k, v in inp.get("files", {}).items()]
    items += [(base64.b64decode(k), v) for k, v in inp.get("files_b64name", {}).items()]  # names that are not UTF-8
    for k, v in items:
        p = os.path.join(os.fsencode(root), k)
        os.makedirs(os.path.dirname(p), exist_ok=True)
        with open(p, "wb") as f: f.write(raw(v))
    for k, t in inp.get("symlinks", {}).items():
        p = os.path.join(root, k); os.makedirs(os.path.dirname(p), exist_ok=True); os.symlink(t, p)

def placeholder(x, root):
    if isinstance(x, str): return x.replace(root, "{ROOT}")
    if isinstance(x, (list, tuple)): return [placeholder(y, root) for y in x]
    if isinstance(x, dict): return {k: placeholder(v, root) for k, v in x.items()}
    return x

def same(got, want):
    """got: the implementation's answer after placeholder(). A long string is expected as a digest."""
    if isinstance(want, bool) or want is None: return got is want
    if isinstance(want, dict) and "sha256" in want:
        if not isinstance(got, (str, bytes)): return False
        b = got if isinstance(got, bytes) else got.encode()
        return len(b) == want["len"] and hashlib.sha256(b).hexdigest() == want["sha256"]
    if isinstance(want, dict) and set(want) == {"b64"}: return got == base64.b64decode(want["b64"])
    if isinstance(want, dict): return isinstance(got, dict) and got.keys() == want.keys() and all(same(got[k], want[k]) for k in want)
    if isinstance(want, list): return len(got) == len(want) and all(same(a, b) for a, b in zip(got, want))
    if isinstance(want, str) and isinstance(got, bytes): return got == want.encode()
    return got == want

def _bytes(path):
    with open(path, "rb") as f: return f.read()

def dump(root):
    """Every file (bytes) and directory below root, for sequence / tool cases."""
    fs, ds = {}, []
    for d, dn, fn in os.walk(os.fsencode(root)):
        for f in fn: p = os.path.join(d, f); fs[os.fsdecode(p)[len(root) + 1:]] = _bytes(p)
        for f in dn: ds.append(os.fsdecode(os.path.join(d, f))[len(root) + 1:])
    return {"files": fs, "dirs": sorted(ds)}

def remove(root): shutil.rmtree(root, ignore_errors=True)
