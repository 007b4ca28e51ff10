"""Builds the wheel for pip. It needs nothing but Python, and leaves nothing behind in the folder that it builds from.

setuptools was used before: it is downloaded for each build, and leaves build/ and warung.egg-info/ there.
"""

import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
# The same content makes the same file.
BUILT_AT = (1980, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _read_project()
    info = f"{project['name']}-{project['version']}.dist-info"
    files = {f"warung/{name}": _read(os.path.join("warung", name)) for name in _modules()}
    files[f"{info}/METADATA"] = _metadata(project).encode()
    files[f"{info}/LICENSE"] = _read("LICENSE")
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: warung\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    wheel = f"{project['name']}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, BUILT_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return wheel


def _modules():
    return sorted(name for name in os.listdir(os.path.join(HERE, "warung")) if name.endswith((".py", ".typed")))


def _metadata(project):
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        "License: Apache-2.0",
        "License-File: LICENSE",
        *[f"Project-URL: {label}, {project[label]}" for label in ("Homepage", "Repository", "Issues")],
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + _read("README.md").decode()


def _read_project():
    """Python 3.9 reads no TOML; the values are simple texts."""
    return dict(re.findall(r'^([\w-]+) = "([^"\n]*)"$', _read("pyproject.toml").decode(), re.MULTILINE))


def _read(path):
    with open(os.path.join(HERE, path), "rb") as file:
        return file.read()


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _leave_nothing():
    """Removes the compiled form of this file, which Python has written beside it."""
    try:
        os.remove(__cached__)
        os.rmdir(os.path.dirname(__cached__))
    except (OSError, NameError, TypeError):
        pass


_leave_nothing()
